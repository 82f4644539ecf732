declare module 'vitest' {
  interface ProvidedContext {
    /** The share of a property's cases that are tried. It is 1 in the full run, and lower in the short run. */
    cases: number;
  }
}

/**
 * This variable is '1' in the short run of `npm test`. The short run starts no search cluster, and tests of several
 * databases use only SQLite.
 */
export const SHORT_RUN = 'ZOETROPE_TEST_SHORT';
