import { createClient, createSession, type SessionState } from '@zoetrope/client';
import { createFailover } from '@zoetrope/client/failover';
import { expect, inject, test, vi } from 'vitest';
import { writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, startServer, temporaryFolder } from '../support/server.ts';

const SOON = { timeout: 480_000 };

/** Sends the origin that a browser would send. */
const fromPage: typeof fetch = (url, init) => fetch(url, { ...init, headers: { ...init?.headers, ...DEVELOPMENT } });

test.each(['SIGSTOP', 'SIGKILL'] as const)(
  'after %s of a service, a search box continues with another service, and mixes no results',
  async (signal) => {
    using folder = temporaryFolder();
    await prepareData(inject('prepared'), `${folder.path}/a`, writeFiles);
    await prepareData(inject('prepared'), `${folder.path}/b`, writeFiles);
    await using first = await startServer(`${folder.path}/a/data`, { ZOETROPE_EMBEDDER: 'none' });
    await using second = await startServer(`${folder.path}/b/data`, { ZOETROPE_EMBEDDER: 'none' });
    // On a busy machine, a first page can take longer than the second that an app waits for it.
    const clients = [first, second].map(({ url }) => createClient({ url, fetch: fromPage }));
    const client = createFailover(clients, { waitMs: 60_000 });
    const states: SessionState[] = [];
    const options = { onChange: (state: SessionState) => states.push(state), debounceMs: 0, pageSize: 2 };
    const session = createSession(client, options);
    const whenReady = () =>
      vi.waitFor(() => expect([session.state.status, session.state.gifs.length]).toEqual(['ready', 2]), SOON);

    session.submit('happy dance');
    await whenReady();
    expect(client.url).toBe(first.url);
    first.process.kill(signal);
    try {
      session.more();
      await vi.waitFor(() => expect([client.url, session.state.status]).toEqual([second.url, 'ready']), SOON);
      for (const text of ['d', 'da', 'dan', 'danc', 'dance']) session.type(text);
      await whenReady();
      session.more();
      await vi.waitFor(() => expect(session.state.gifs).toHaveLength(4), SOON);
    } finally {
      if (signal === 'SIGSTOP') first.process.kill('SIGCONT');
      session.close();
    }
    const hostsOf = ({ gifs }: SessionState) => new Set(gifs.map(({ url }) => new URL(url).origin));
    expect(states.filter((state) => hostsOf(state).size > 1)).toEqual([]);
    expect([...hostsOf(session.state)]).toEqual([second.url]);
    expect((await client.attribution()).name).not.toBe('');
  },
);
