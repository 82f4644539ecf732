/** A repeatable source of numbers in [0, 1). */
export type Random = () => number;

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)]!;
}

/** Returns a whole number from 0 to `most`. */
export function upTo(random: Random, most: number): number {
  return Math.floor(random() * (most + 1));
}

/** Returns a whole number from 1 to `most`. Small numbers are more likely. */
export function few(random: Random, most: number): number {
  return Math.floor((most + 1) ** random());
}

/** Changes a value one to four times. */
export function changeOften<Value>(
  random: Random,
  value: Value,
  change: (random: Random, value: Value) => Value,
): Value {
  let changed = value;
  for (let left = few(random, 4); left > 0; left--) changed = change(random, changed);
  return changed;
}
