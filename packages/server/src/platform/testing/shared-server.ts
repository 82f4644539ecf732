import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the process that starts the servers which all test files in a run share. See `test/support/keeper.ts`. */
    keeper: string;
  }
}

/** Servers that all test files in a run share: a database, a search cluster, and the service with a catalogue. */
export type SharedServer = 'postgres' | 'opensearch' | 'catalogue' | 'catalogue-on-cluster';

/**
 * Returns the URL of a shared server. A cluster has several URLs, separated by commas. The first file that needs the
 * server starts it.
 * @throws Error if it is not installed or did not start
 */
export async function sharedServer(name: SharedServer): Promise<string> {
  const answer = await fetch(`${inject('keeper')}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}
