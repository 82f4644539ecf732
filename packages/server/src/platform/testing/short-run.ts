declare module 'vitest' {
  interface ProvidedContext {
    /** The share of a property's cases that are tried: all, or few of them in the short run. */
    cases: number;
  }
}

/**
 * The variable that is '1' in the short run of `npm test`, which starts no search cluster, and in which tests of several
 * databases use only SQLite.
 */
export const SHORT_RUN = 'ZOETROPE_TEST_SHORT';
