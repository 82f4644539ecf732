import path from 'node:path';
import { parse } from 'nostr-tools/nip27';
import { finalizeEvent, generateSecretKey, type NostrEvent } from 'nostr-tools/pure';
import { Relay } from 'nostr-tools/relay';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, fromImeta, type Gif, noteTags, withGif } from '../../packages/client/src/index.ts';
import { startRelay } from '../../packages/server/src/payments/testing/relay.ts';
import { writeManifest } from '../support/catalogue.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ITEMS = 500;
/** Without this time, the library reports after 4.4 seconds that it has all notes, even if some are missing. */
const PATIENCE_MS = 480_000;
const HEX_32 = /^[0-9a-f]{64}$/;

/** The rules of NIP-92 for a tag in a note, and of NIP-94 for its fields. */
const RULES: Record<string, (fields: Map<string, string>, note: NostrEvent, gif: Gif) => boolean> = {
  'a URL that is in the note letter by letter': (fields, { content }) => content.includes(fields.get('url')!),
  'something besides the URL': (fields) => fields.size > 1,
  'a type in lower case, but only if it is verified': (fields, _, { verified }) =>
    verified ? /^image\/(gif|webp)$/.test(fields.get('m') ?? '') : !fields.has('m'),
  'a valid hash': (fields) => !fields.has('x') || HEX_32.test(fields.get('x')!),
  'a size in whole bytes': (fields) => !fields.has('size') || /^[1-9]\d*$/.test(fields.get('size')!),
  'a size in pixels, but only if it is verified': (fields, _, { verified }) =>
    verified ? /^[1-9]\d*x[1-9]\d*$/.test(fields.get('dim') ?? '') : !fields.has('dim'),
  'an https URL of a picture': (fields) => URL.parse(fields.get('image') ?? '')?.protocol === 'https:',
  'no empty text': (fields) => !fields.has('alt') || fields.get('alt')!.trim() !== '',
};

describe('notes with GIFs', () => {
  const folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const gifs = new Map<string, Gif>();
  let server: Server;
  let port: number;

  beforeAll(async () => {
    const rows = Array.from({ length: 540 }, (_, n) => {
      const hash = n.toString(16).padStart(64, 'a');
      const known = n % 3 === 0 ? {} : { bytes: 1_000 + n, sha256: hash };
      const format = n % 5 === 0 ? 'webp' : 'gif';
      const title = n % 7 === 0 ? '' : `Katze  ${n}\n"tanzt" – 猫 🎂`;
      const id = n % 2 === 0 ? `${hash}.gif` : `item-${n}`;
      const url = `https://media.example/${n}/${encodeURIComponent('ä b')}.${format}`;
      return { id, url, title, format, tags: [`tag${n % 3}`], width: 100 + n, height: 90, ...known };
    });
    const manifest = writeManifest(path.join(folder.path, 'rows.jsonl'), rows);
    const { code, stderr } = await zoetrope(data, ['add', '--quiet', manifest], { ZOETROPE_EMBEDDER: 'none' });
    expect(code, stderr).toBe(0);
    port = await freePort();
    server = await startServer(data, {
      ZOETROPE_PORT: `${port}`,
      ZOETROPE_PUBLIC_URL: 'https://gifs.example',
      ZOETROPE_EMBEDDER: 'none',
    });
  });

  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  test(`have valid tags for ${ITEMS} items, and another library shows them from a relay`, async () => {
    const relay = await startRelay();
    const listens = `http://127.0.0.1:${port}`;
    const client = createClient({
      url: 'https://gifs.example',
      fetch: (address) =>
        fetch(String(address).replace('https://gifs.example', listens), { headers: { origin: 'http://localhost' } }),
    });
    for (const query of ['tag0', 'tag1', 'tag2']) {
      for await (const { items } of client.pages(query, { limit: 100 })) for (const gif of items) gifs.set(gif.id, gif);
    }
    expect(gifs.size).toBeGreaterThanOrEqual(ITEMS);
    const [shared] = gifs.values();
    expect(noteTags(shared!, { ...shared!, id: 'another.gif' })).toHaveLength(1);
    const key = generateSecretKey();
    const connection = await Relay.connect(relay.url);
    const failures: string[] = [];
    for (const [n, linked] of [...gifs.values()].slice(0, ITEMS).entries()) {
      // Half of the GIFs are marked as verified, as if the service had analysed their files.
      const gif = { ...linked, verified: n % 2 === 0 };
      const content = withGif('monday again', gif);
      const note = finalizeEvent({ kind: 1, created_at: 1_790_000_000, content, tags: noteTags(gif) }, key);
      await connection.publish(note);
      failures.push(...brokenRules(note, gif).map((rule) => `${gif.id}: ${rule}`));
    }
    expect(failures).toEqual([]);
    const heard: NostrEvent[] = [];
    await new Promise<void>((done) => {
      connection.subscribe([{ kinds: [1] }], {
        onevent: (event) => heard.push(event),
        oneose: done,
        eoseTimeout: PATIENCE_MS,
      });
    });
    connection.close();
    await relay.stop();
    expect(heard).toHaveLength(ITEMS);
    for (const note of heard) {
      const [tag] = note.tags;
      const shown = [...parse(note)].filter(({ type }) => type === 'image');
      expect(shown).toMatchObject([{ url: fromImeta(tag!)!.url }]);
    }
  });
});

function brokenRules(note: NostrEvent, gif: Gif): string[] {
  const metas = note.tags.filter(([name]) => name === 'imeta');
  if (metas.length !== 1) return [`${metas.length} tags`];
  const fields = new Map(
    metas[0]!.slice(1).map((field) => [field.slice(0, field.indexOf(' ')), field.slice(field.indexOf(' ') + 1)]),
  );
  return Object.keys(RULES).filter((rule) => !RULES[rule]!(fields, note, gif));
}
