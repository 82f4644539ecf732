import { changeText, ODD_TEXTS } from './change-text.ts';
import { changeOften, few, pick, type Random } from './draw.ts';

const NUMBERS = [0, -0, -1, 1, 0.5, 255, 256, 65_536, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 1e308, -1e308, 5e-324];
const VALUES: readonly unknown[] = [null, true, false, '', [], {}, [[]], [null], [{}], { names: null }, ...NUMBERS];
const NAMES = ['__proto__', 'constructor', 'toString', 'length', '', 'id', 'url', '0'];
/** Maximum depth that one change adds. JSON.stringify itself fails at ten times this depth. */
const DEPTH = 500;
/** Maximum length of the JSON. Every reader has a lower limit. */
const MAX_LENGTH = 2_000_000;

type Change = (random: Random, value: unknown) => unknown;

const CHANGES: readonly Change[] = [
  // In an object, JSON omits the field.
  () => undefined,
  (random) => pick(random, VALUES),
  (random) => pick(random, ODD_TEXTS),
  (random, value) => changeText(random, String(JSON.stringify(value))),
  (random, value) => pick(random, [[value], { [pick(random, NAMES)]: value }]),
  (random, value) => {
    const items = Array.isArray(value) ? value : [value];
    return [...items, ...Array<unknown>(few(random, 300)).fill(items.at(-1))];
  },
  (random, value) => ({
    ...(typeof value === 'object' && value !== null ? value : {}),
    [pick(random, NAMES)]: pick(random, VALUES),
  }),
  (random, value) => {
    let nested = value;
    for (let left = few(random, DEPTH); left > 0; left--) nested = [nested];
    return nested;
  },
];

/**
 * Returns a value that differs in one place, at any depth. Most strings stay strings, and most numbers stay numbers.
 */
export function changeJson(random: Random, value: unknown): unknown {
  const keepsType = random() < 0.7;
  if (keepsType && typeof value === 'string') return changeText(random, value);
  if (keepsType && typeof value === 'number') return value + pick(random, NUMBERS);
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (fields.length === 0 || random() < 0.1) return pick(random, CHANGES)(random, value);
  const [name, old] = pick(random, fields);
  const changed = changeJson(random, old);
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...(value as object), [name]: changed };
}

/** Returns the JSON of a value that was changed a few times. Sometimes the JSON itself is broken. */
export function drawJson(random: Random, value: unknown): string {
  const json = JSON.stringify(changeOften(random, value, changeJson)) ?? 'null';
  return (random() < 0.15 ? changeText(random, json) : json).slice(0, MAX_LENGTH);
}
