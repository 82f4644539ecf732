/**
 * The folders of the system's own `nice` and `chrt`. With the usual PATH, tests find replacements first (see
 * vitest.config.ts).
 */
export const SYSTEM_PATH = '/usr/bin:/bin';
