import { ANSWERS } from './answers.ts';
import { CALLERS } from './callers.ts';
import { CONTENT } from './content.ts';
import type { Fault } from './fault.ts';
import { PACKAGES } from './packages.ts';
import { UPKEEP } from './upkeep.ts';

/** All faults, by room. */
export const FAULTS: readonly Fault[] = [...CALLERS, ...ANSWERS, ...CONTENT, ...UPKEEP, ...PACKAGES];
