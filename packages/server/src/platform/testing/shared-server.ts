import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the process that starts the servers shared by all test files of a run. See `test/support/keeper.ts`. */
    keeper: string;
  }
}

/** Servers that all test files in a run share: a database, a search cluster, and the service with a catalogue. */
export type SharedServer = 'postgres' | 'opensearch' | 'catalogue' | 'catalogue-on-cluster';

/** One process of the shared search cluster. */
export type SharedNode = Record<NodeAction, () => Promise<void>>;
/** `freeze` pauses the process without ending it, like on a machine that hangs. `start` starts it with its data. */
export type NodeAction = 'kill' | 'freeze' | 'thaw' | 'start';

/**
 * Returns the processes of the shared search cluster, in the order of its URLs. Only a test that runs alone is allowed
 * to end or pause a process, and it must start the process again.
 */
export function sharedNodes(urls: readonly string[]): SharedNode[] {
  return urls.map((_, n) => {
    const ask = (action: NodeAction) => async () => {
      const answer = await fetch(`${inject('keeper')}/opensearch/${n}/${action}`, { method: 'POST' });
      if (!answer.ok) throw new Error(await answer.text());
    };
    return { kill: ask('kill'), freeze: ask('freeze'), thaw: ask('thaw'), start: ask('start') };
  });
}

/**
 * Returns the URL of a shared server. A cluster has several URLs, separated by commas. The first file that needs the
 * server starts it.
 * @throws Error if the server is not installed or did not start
 */
export async function sharedServer(name: SharedServer): Promise<string> {
  const answer = await fetch(`${inject('keeper')}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
