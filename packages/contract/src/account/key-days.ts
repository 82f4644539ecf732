/**
 * Maximum lifetime of a key, and how long an old key works after its rotation, in days. In a file without
 * schemas, so that the dashboard's bundle contains no code for schemas.
 */
export const KEY_DAYS = { max: 3_650, overlap: 7, overlapMax: 90 } as const;
