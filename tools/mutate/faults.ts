import type { Fault } from './fault.ts';
import { ANSWERS } from './lists/answers.ts';
import { CALLERS } from './lists/callers.ts';
import { CONTENT } from './lists/content.ts';
import { FIFTH } from './lists/fifth.ts';
import { FOURTH } from './lists/fourth.ts';
import { FURTHER } from './lists/further.ts';
import { DURABLE, HOLES } from './lists/holes.ts';
import { ODD_INPUT } from './lists/odd-input.ts';
import { OUTAGES } from './lists/outages.ts';
import { PACKAGES } from './lists/packages.ts';
import { DRAWN } from './lists/random/drawn.ts';
import { RANDOM } from './lists/random/unnoticed.ts';
import { SECOND } from './lists/second.ts';
import { SEVENTH } from './lists/seventh.ts';
import { SIXTH } from './lists/sixth.ts';
import { THIRD } from './lists/third.ts';
import { UPKEEP } from './lists/upkeep.ts';

/** All faults, by room. */
export const FAULTS: readonly Fault[] = [
  ...[CALLERS, ANSWERS, CONTENT, UPKEEP, PACKAGES].flat(),
  // Faults that no test noticed when they were first planted, and faults in further places.
  ...[DURABLE, HOLES, FURTHER, SECOND, THIRD, FOURTH, FIFTH, SIXTH, SEVENTH, OUTAGES, ODD_INPUT, RANDOM, DRAWN].flat(),
];
