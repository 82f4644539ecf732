import type { Target } from '../target.ts';

/** Number of the input that does each kind of damage. */
export const DAMAGE = { throws: 3, ends: 5, hangs: 7, waits: 9 };

const LEAKED_BYTES = 20_000_000;

const leaked: Uint8Array[] = [];

/** Targets that are broken in all the ways that the fuzzer can notice. */
export const TARGETS: Readonly<Record<string, Target>> = {
  broken: {
    ...{ turn: 12, together: 2 },
    open: async () => ({
      draw: (random, number) => ({ number, random: random() }),
      async check(input) {
        const { number } = input as { number: number };
        if (number === DAMAGE.throws) throw new TypeError('it is broken');
        if (number === DAMAGE.ends) process.exit(3);
        while (number === DAMAGE.hangs);
        if (number === DAMAGE.waits) await new Promise(() => {});
        return number % 2 === 0 ? 'even' : 'odd';
      },
    }),
  },
  leaking: {
    ...{ turn: 5, together: 1 },
    open: async () => ({
      draw: (_, number) => number,
      check() {
        leaked.push(new Uint8Array(LEAKED_BYTES));
        return 'leaked';
      },
    }),
  },
};
