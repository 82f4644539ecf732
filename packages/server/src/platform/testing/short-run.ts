declare module 'vitest' {
  interface ProvidedContext {
    /** The share of each property's cases that this run tries. It is lower if `FEW_CASES` is set. */
    cases: number;
  }
}

/**
 * This variable is '1' in the short run of `npm test`. The short run starts no search cluster, and tests of several
 * databases use only SQLite.
 */
export const SHORT_RUN = 'ZOETROPE_TEST_SHORT';

/** This variable is '1' in runs that try few cases of each property. Their seed differs from run to run. */
export const FEW_CASES = 'ZOETROPE_TEST_FEW';
