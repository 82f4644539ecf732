import fs from 'node:fs';

/** The modules that the files of one room can import, in addition to files of that room. */
interface Boundary {
  /** Folder of the room's source. */
  folder: string;
  /** Other rooms of the server. Rooms are imported through their index.ts, and `config` through its file. */
  rooms: readonly string[];
  /** Packages of npm or of this repository. */
  packages: readonly string[];
  /** Whether the room can use Node's own modules. The engine and browser code cannot use them. */
  node: boolean;
}

const ALONE = { rooms: [], node: false } as const;

const server = (name: string, rooms: string, packages = ''): [string, Boundary] => [
  name,
  { folder: `packages/server/src/${name}`, rooms: words(rooms), packages: words(packages), node: true },
];

/**
 * The modules that each room can import. `npm run docs` generates the linter's rules (`tools/boundaries.json`) and the drawing in
 * ARCHITECTURE.md from this table. Run this command after a change.
 */
export const BOUNDARIES: Readonly<Record<string, Boundary>> = Object.fromEntries([
  ['contract', { ...ALONE, folder: 'packages/contract/src', packages: ['typebox'] }],
  ['search', { ...ALONE, folder: 'packages/search/src', packages: [] }],
  ['starter', { folder: 'packages/starter/src', rooms: [], packages: ['sharp'], node: true }],
  ['client', { ...ALONE, folder: 'packages/client/src', packages: [] }],
  ['picker', { ...ALONE, folder: 'packages/picker/src', packages: ['@zoetrope/client', 'lit-html', 'react'] }],
  [
    'dashboard',
    { ...ALONE, folder: 'packages/dashboard/src', packages: ['@zoetrope/contract', 'lit', 'nostr-tools', 'uqr'] },
  ],
  server('base', '', '@zoetrope/contract pino'),
  server('platform/db', '', 'better-sqlite3 kysely lru-cache pg'),
  server('platform/lock', 'platform/db', 'better-sqlite3 kysely pg'),
  server('platform/nodes', 'platform/db', 'kysely'),
  server('platform/jobs', 'platform/db platform/nodes', 'kysely'),
  server('platform/files', ''),
  server('platform/process', ''),
  server('platform/blobs', 'platform/files', 'aws4fetch lru-cache typebox'),
  server('platform/cache', ''),
  server('platform/fetch', '', 'ipaddr.js typebox undici'),
  server('platform/relay', 'platform/db', 'kysely nostr-tools nostr-wasm ws'),
  server('platform/models', ''),
  server('platform/opensearch', '', 'undici'),
  server('history', 'platform/db', '@zoetrope/contract kysely'),
  server('records', 'platform/db', '@zoetrope/contract kysely'),
  server('vectors', 'platform/db records', 'kysely'),
  server('moderation', 'platform/db records vectors', 'kysely'),
  server('uploads', 'moderation platform/db records', 'kysely'),
  server('claims', 'moderation platform/db records', '@zoetrope/contract kysely'),
  server('catalog', 'claims moderation platform/db records uploads vectors', 'kysely'),
  server(
    'media',
    'platform/blobs platform/cache platform/fetch platform/process',
    '@napi-rs/webcodecs @zoetrope/contract lru-cache mediabunny sharp typebox',
  ),
  server('enrich', 'platform/models platform/process', '@gutenye/ocr-node onnxruntime-node typebox'),
  server(
    'embed',
    'platform/models platform/process',
    '@huggingface/tokenizers @zoetrope/search adm-zip lru-cache onnxruntime-node typebox undici',
  ),
  server('builds', 'catalog platform/blobs platform/db platform/files records', '@zoetrope/search kysely'),
  server(
    'index',
    'builds moderation platform/db platform/models uploads',
    '@zoetrope/contract @zoetrope/search typebox',
  ),
  server(
    'cluster',
    'builds catalog index platform/db platform/opensearch records',
    '@zoetrope/contract @zoetrope/search typebox',
  ),
  server('languages', 'platform/files platform/models', '@zoetrope/search typebox'),
  server('registry', 'platform/db', '@zoetrope/contract kysely typebox'),
  server('identifiers', 'platform/db registry', 'tldts'),
  server('notices', 'identifiers platform/db registry'),
  server('messenger', 'platform/db platform/relay registry', 'nostr-tools ws'),
  server('clients', 'identifiers notices platform/db registry', '@zoetrope/contract'),
  server('admission', 'identifiers platform/cache platform/db registry', '@zoetrope/contract lru-cache'),
  server('limits', '', 'ioredis typebox'),
  server(
    'payments',
    'clients notices platform/cache platform/db registry',
    '@zoetrope/contract kysely light-bolt11-decoder nostr-tools typebox uqr ws',
  ),
  server('mcp', '', '@modelcontextprotocol/server @zoetrope/client @zoetrope/contract typebox'),
  server(
    'http',
    'admission builds identifiers index limits mcp media platform/blobs platform/relay',
    '@zoetrope/client @zoetrope/contract fastify ipaddr.js lru-cache marked nostr-tools nostr-wasm typebox ws',
  ),
  server(
    'account',
    'admission catalog clients identifiers limits messenger moderation notices platform/db platform/fetch records registry uploads',
    '@zoetrope/contract fastify kysely nostr-tools typebox',
  ),
  server(
    'ingest',
    'catalog media moderation platform/blobs platform/db platform/fetch platform/jobs records vectors',
    '@zoetrope/contract @zoetrope/starter entities kysely typebox',
  ),
  server(
    'sharing',
    'catalog ingest media moderation platform/db platform/fetch platform/files records',
    'kysely nostr-tools typebox',
  ),
  server(
    'service',
    'account base builds catalog cluster config embed history ingest media payments platform/blobs platform/db platform/fetch platform/jobs platform/lock platform/nodes platform/relay registry sharing',
    'typebox',
  ),
  server(
    'work',
    'builds cluster config embed enrich index ingest media moderation platform/blobs platform/db platform/fetch platform/lock records service vectors',
    '@zoetrope/search',
  ),
  server(
    'relays',
    'catalog claims config ingest media moderation platform/db platform/fetch platform/lock platform/relay registry service vectors work',
    'lru-cache nostr-tools typebox',
  ),
  server(
    'upkeep',
    'builds catalog clients cluster config embed enrich history index ingest languages media moderation payments platform/blobs platform/db platform/fetch platform/files platform/jobs platform/lock platform/nodes platform/relay records registry service sharing work',
    'kysely',
  ),
  server(
    'serve',
    'account admission base builds catalog claims cluster config embed history http identifiers index ingest languages limits media messenger moderation payments platform/blobs platform/cache platform/db platform/fetch platform/files platform/jobs platform/lock platform/nodes platform/relay records registry relays service sharing upkeep uploads vectors work',
    '@zoetrope/contract',
  ),
  server(
    'cli',
    'account claims clients config embed identifiers ingest languages mcp moderation records registry relays serve service sharing upkeep work',
    '@zoetrope/client cli-progress commander smol-toml',
  ),
]);

const DEPTHS = [0, 1, 2];
const DRAWING = /(<!-- boundaries -->\n)[\s\S]*?(<!-- \/boundaries -->)/;

/**
 * Returns the linter's rules. Patterns are relative to the importing file, so each depth of a room's folders has its
 * own patterns. Depths without a file have no rule, because the linter compares each file with each rule.
 */
function boundaryRules(): object[] {
  return Object.entries(BOUNDARIES).flatMap(([name, boundary]) =>
    depthsOf(boundary).map((depth) => ({
      includes: [filesAt(boundary, depth)],
      linter: {
        rules: {
          style: {
            noRestrictedImports: {
              level: 'error',
              options: {
                patterns: [
                  {
                    group: patternsOf(boundary, depth),
                    message: `${name} may not import this; see tools/boundaries.ts and the drawing in ARCHITECTURE.md`,
                  },
                ],
              },
            },
          },
        },
      },
    })),
  );
}

function depthsOf(boundary: Boundary): number[] {
  return DEPTHS.filter((depth) => fs.globSync(filesAt(boundary, depth)).length > 0);
}

function filesAt({ folder }: Boundary, depth: number): string {
  return `${folder}/${'*/'.repeat(depth)}*.ts`;
}

/** Returns the patterns of a boundary. If several patterns match, the last one wins. */
function patternsOf({ folder, rooms, packages, node }: Boundary, depth: number): string[] {
  // The path from the importing file to the folder that contains all rooms.
  const [, place = ''] = folder.split('/src/');
  const up = '../'.repeat(depth + place.split('/').length);
  const beside = '../'.repeat(depth + 1);
  const own = depth === 0 ? ['!./**'] : ['!./**', '!../**', `${'../'.repeat(depth + 1)}**`];
  return [
    '**',
    ...own,
    ...(node ? ['!node:*', '!node:*/**'] : []),
    ...packages.flatMap((name) => [`!${name}`, `!${name}/**`]),
    ...(place === '' ? [] : [`!${up}base/*.ts`]),
    ...rooms.map((room) => `!${place.startsWith('platform/') ? besideOf(room, up, beside) : up + doorOf(room)}`),
  ];
}

/** Returns the path to another room. Rooms of `platform` are in one folder, next to each other. */
function besideOf(room: string, up: string, beside: string): string {
  return room.startsWith('platform/') ? beside + doorOf(room.slice('platform/'.length)) : up + doorOf(room);
}

function doorOf(room: string): string {
  return room === 'config' ? 'config.ts' : `${room}/index.ts`;
}

/**
 * Returns the rooms of the server as a Mermaid drawing. It omits arrows that follow from other arrows, and omits the
 * settings and `base`, which every room can use.
 */
export function drawBoundaries(): string {
  const rooms = Object.keys(BOUNDARIES).filter((name) => BOUNDARIES[name]!.folder.startsWith('packages/server/'));
  const drawn = rooms.filter((name) => name !== 'base');
  const arrows = drawn.flatMap((from) => {
    const direct = importsOf(from);
    const implied = new Set(direct.flatMap((room) => [...reachable(room)]));
    return direct.filter((to) => !implied.has(to)).map((to) => `  ${idOf(from)} --> ${idOf(to)}`);
  });
  const boxes = drawn.map((name) => `  ${idOf(name)}["${name}"]`);
  return ['```mermaid', 'flowchart TD', ...boxes, ...arrows, '```', ''].join('\n');
}

function importsOf(room: string): string[] {
  return BOUNDARIES[room]!.rooms.filter((name) => name !== 'config' && name !== 'base');
}

/**
 * Returns every room that the given room imports, directly or through other rooms. @throws if a room imports itself in
 * this way
 */
function reachable(room: string, path: readonly string[] = []): Set<string> {
  if (path.includes(room)) throw new Error(`rooms import each other in a circle: ${[...path, room].join(' -> ')}`);
  const direct = importsOf(room);
  return new Set([...direct, ...direct.flatMap((next) => [...reachable(next, [...path, room])])]);
}

function idOf(room: string): string {
  return room.replace('/', '_');
}

function words(text: string): string[] {
  return text.split(' ').filter(Boolean);
}

/** Returns the linter's rules as a configuration that biome.json extends. */
export function renderRules(): string {
  return `${JSON.stringify({ root: false, overrides: boundaryRules() }, null, 2)}\n`;
}

/** Returns ARCHITECTURE.md with the current drawing of the table. */
export function renderDrawing(architecture: string): string {
  return architecture.replace(DRAWING, (_, start: string, end: string) => `${start}${drawBoundaries()}${end}`);
}
