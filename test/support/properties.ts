import fc from 'fast-check';
import { inject } from 'vitest';

/** The variable with the seed of all properties. `npm test` chooses and prints it. */
const seed = process.env['ZOETROPE_TEST_SEED'];
/** Number of cases if a property does not set its own. */
const CASES = 100;

fc.configureGlobal({ numRuns: CASES * inject('cases'), ...(seed === undefined ? {} : { seed: Number(seed) }) });
