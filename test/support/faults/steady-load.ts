/** Requests that are sent at a steady rate, even if the responses are slow. */
export interface SteadyLoad {
  /** Waits for the given number of further responses. */
  more(count: number): Promise<void>;
  /** Waits until this number of further responses in a row have status 200. */
  inARow(count: number): Promise<void>;
  /** Stops, and waits for all open requests. @returns all responses other than 200, and all errors */
  stop(): Promise<string[]>;
}

/** What a caller waits for. */
interface Wait {
  /** Number of responses that are still missing. */
  missing: number;
  /** Value of `missing` after a problem, if only responses in a row count. */
  again: number | undefined;
  resolve: () => void;
}

/**
 * Sends requests at a steady rate until it is stopped.
 * @param send sends the request with this number, counted from 0
 */
export function startLoad(perSecond: number, send: (n: number) => Promise<Response>): SteadyLoad {
  const problems: string[] = [];
  const open = new Set<Promise<void>>();
  const waiting = new Set<Wait>();
  let sent = 0;

  async function ask(n: number): Promise<void> {
    const problem = await problemOf(send(n));
    if (problem !== undefined) problems.push(problem);
    for (const each of waiting) {
      each.missing = problem !== undefined && each.again !== undefined ? each.again : each.missing - 1;
      if (each.missing > 0) continue;
      waiting.delete(each);
      each.resolve();
    }
  }

  function wait(missing: number, again?: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add({ missing, again, resolve });
    return promise;
  }

  const timer = setInterval(() => {
    const asked = ask(sent++).finally(() => open.delete(asked));
    open.add(asked);
  }, 1_000 / perSecond);
  return {
    more: (count) => wait(count),
    inARow: (count) => wait(count, count),
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return problems;
    },
  };
}

async function problemOf(answer: Promise<Response>): Promise<string | undefined> {
  try {
    const response = await answer;
    const text = await response.text();
    return response.status === 200 ? undefined : `${response.status}: ${text}`;
  } catch (error) {
    return String(error);
  }
}
