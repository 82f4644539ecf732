/** Requests that are sent at a steady rate, even if the responses are slow. */
export interface SteadyLoad {
  /** Waits for the given number of further responses. */
  more(count: number): Promise<void>;
  /** Stops, and waits for all open requests. @returns all responses other than 200, and all errors */
  stop(): Promise<string[]>;
}

/**
 * Sends requests at a steady rate until it is stopped.
 * @param send sends the request with this number, counted from 0
 */
export function startLoad(perSecond: number, send: (n: number) => Promise<Response>): SteadyLoad {
  const problems: string[] = [];
  const open = new Set<Promise<void>>();
  const waiting = new Set<{ until: number; resolve: () => void }>();
  let sent = 0;
  let answered = 0;

  async function ask(n: number): Promise<void> {
    try {
      const response = await send(n);
      const text = await response.text();
      if (response.status !== 200) problems.push(`${response.status}: ${text}`);
    } catch (error) {
      problems.push(String(error));
    }
    answered++;
    for (const each of waiting) {
      if (answered < each.until) continue;
      waiting.delete(each);
      each.resolve();
    }
  }

  const timer = setInterval(() => {
    const asked = ask(sent++).finally(() => open.delete(asked));
    open.add(asked);
  }, 1_000 / perSecond);
  return {
    more(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add({ until: answered + count, resolve });
      return promise;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return problems;
    },
  };
}
