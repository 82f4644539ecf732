import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { initNostrWasm } from 'nostr-wasm';
import { WebSocketServer } from 'ws';
import type { RelayEvent } from '../event.ts';

/* Creates large numbers of events, and a relay that sends them as fast as they are accepted. */

const START = 1_790_000_000;
const PAGE = 500;

if (!isMainThread && Array.isArray(workerData)) serveEvents(workerData as RelayEvent[]);

export interface BulkRelay {
  url: string;
  stop(): Promise<unknown>;
}

/** Starts a relay with these events in a thread. The events' timestamps are a second apart. */
export async function startBulkRelay(events: readonly RelayEvent[]): Promise<BulkRelay> {
  const thread = new Worker(import.meta.filename, { workerData: events });
  const url = await new Promise<string>((resolve) => thread.once('message', resolve));
  return { url, stop: () => thread.terminate() };
}

/** Returns signed files (kind 1063), oldest first, of a hundred authors. */
export async function makeFiles(count: number): Promise<RelayEvent[]> {
  const nostr = await initNostrWasm();
  const keys = Array.from({ length: 100 }, () => nostr.generateSecretKey());
  return Array.from({ length: count }, (_, n) => {
    const hash = n.toString(16).padStart(64, '0');
    const event = {
      kind: 1063,
      created_at: START + n,
      content: `A cat that dances, number ${n}`,
      tags: [
        ['url', `https://media.example/${hash}.gif`],
        ['m', 'image/gif'],
        ['x', hash],
        ['dim', '480x270'],
        ['size', '1834201'],
        ['blurhash', 'LEHV6nWB2yk8pyo0adR*.7kCMdnj'],
        ['alt', `A cat on a table, number ${n}`],
        ['t', 'cat'],
        ['t', `dance${n % 500}`],
      ],
      id: '',
      pubkey: '',
      sig: '',
    };
    nostr.finalizeEvent(event, keys[n % keys.length]!);
    return event;
  });
}

/**
 * Serves events like a relay, but filters only by time, because other relays take long to search a hundred thousand
 * events page by page.
 */
function serveEvents(events: RelayEvent[]): void {
  const newest = events.toReversed().map((event) => ({ at: event.created_at, text: JSON.stringify(event) }));
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () => {
    parentPort!.postMessage(`ws://127.0.0.1:${(server.address() as { port: number }).port}`);
  });
  server.on('connection', (socket) =>
    socket.on('message', (data) => {
      const [type, id, { kinds = [], until = Number.POSITIVE_INFINITY } = {}] = JSON.parse(String(data));
      if (type !== 'REQ') return;
      const first = Math.max(0, newest[0]!.at - until);
      const page = kinds.includes(1063) ? newest.slice(first, first + PAGE) : [];
      for (const { text } of page) socket.send(`["EVENT","${id}",${text}]`);
      socket.send(`["EOSE","${id}"]`);
    }),
  );
}
