import { ANSWERS } from './answers.ts';
import { APPS } from './apps.ts';
import { CALLERS } from './callers.ts';
import { CONTENT } from './content.ts';
import { DURABLE } from './durable.ts';
import type { Fault } from './fault.ts';
import { FIFTH } from './fifth.ts';
import { FOURTH } from './fourth.ts';
import { FURTHER } from './further.ts';
import { HOLES } from './holes.ts';
import { ODD_INPUT } from './odd-input.ts';
import { OUTAGES } from './outages.ts';
import { PACKAGES } from './packages.ts';
import { SECOND } from './second.ts';
import { THIRD } from './third.ts';
import { UPKEEP } from './upkeep.ts';

/** All faults, by room. */
export const FAULTS: readonly Fault[] = [
  ...[CALLERS, ANSWERS, CONTENT, UPKEEP, PACKAGES].flat(),
  // Faults that no test noticed when they were first planted, and others in places that those before do not touch.
  ...[DURABLE, HOLES, FURTHER, SECOND, THIRD, FOURTH, FIFTH, APPS, OUTAGES, ODD_INPUT].flat(),
];
