/** Where the system's own `nice` and `chrt` are. Tests otherwise find others first (see vitest.config.ts). */
export const SYSTEM_PATH = '/usr/bin:/bin';
