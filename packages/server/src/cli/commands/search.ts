import { createClient, type Gif, type GifClient, GifError, type Term, toImeta } from '@zoetrope/client';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../../base/errors.ts';
import { VERSION } from '../../base/version.ts';
import { loadConfig } from '../../config.ts';
import { print, toJson } from '../print.ts';
import { pictureOf, showsPictures } from '../terminal-picture.ts';

interface Options {
  service?: string;
  limit?: number;
  json?: boolean;
  imeta?: boolean;
  pictures?: boolean;
}

/** Maximum number of results. Source: the API contract, `count`. */
const MOST = 200;
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/** The option for the service that a command asks. */
const SERVICE = [
  '--service <url>',
  'URL of another service, with its API key in ZOETROPE_KEY (default: the service on this machine)',
] as const;

/** Adds the commands that query a running service like any client. */
export function addSearchCommands(program: Command): void {
  addMcpCommand(program);
  forGifs(program.command('search <words...>'), 'search a running service for GIFs', (client, words, limit) =>
    client.search(words.join(' '), limit),
  );
  forGifs(
    program.command('similar').argument('<id>', 'id of a GIF on that service, as zoetrope search prints it'),
    'list GIFs that look like a given one',
    (client, [id], limit) => client.similar(id!, limit),
  );
  forGifs(program.command('trending'), 'list trending GIFs, in a different order each day', (client, _, limit) =>
    client.trending(limit),
  );
  forGifs(
    program.command('random').argument('[words...]', 'choose among the GIFs that these words find'),
    'show a random GIF',
    async (client, words) => ({ items: [await client.random(words.join(' ') || undefined)] }),
  );
  asking(program.command('categories'), 'list the topics of a running service').action(async (options: Options) => {
    const found = await ask(options, (client) => client.categories());
    const categories = found.slice(0, options.limit);
    const lines = categories.map(({ name, term, cover }) => `${name.padEnd(20)}  ${term}\n  ${cover.url}`);
    print(options.json ? toJson(categories) : lines.join('\n') || 'No topic has enough GIFs.');
  });
  asking(program.command('suggest <words...>'), 'suggest search terms that begin with the given words').action(
    async (words: string[], options: Options) => {
      const { terms } = await ask(options, (client) => client.suggest(words.join(' '), limitOf(options)));
      print(options.json ? toJson(terms) : terms.map(termLine).join('\n') || 'No completions found.');
    },
  );
}

/** Adds the command that an assistant starts to search GIFs. */
function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('answer an assistant over the Model Context Protocol, on standard input and output')
    .option(...SERVICE)
    .action(async ({ service }: { service?: string }) => {
      const { serveOverStdio } = await import('../../mcp/index.ts');
      await serveOverStdio({ client: clientFor(service), readPicture, version: VERSION });
    });
}

const PICTURE_MS = 10_000;

async function readPicture(url: string): Promise<{ bytes: Uint8Array; mimeType: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PICTURE_MS) });
  if (!response.ok) throw new Error(`The picture cannot be loaded (HTTP ${response.status})`);
  return { bytes: await response.bytes(), mimeType: response.headers.get('content-type') ?? 'image/png' };
}

type Ask = (client: GifClient, words: string[], limit: { limit?: number }) => Promise<{ items: Gif[] }>;

function forGifs(command: Command, description: string, question: Ask): void {
  asking(command, description)
    .option('--imeta', 'print the NIP-92 tag of each GIF, as JSON')
    .option('--no-pictures', 'do not show pictures, even if the terminal can')
    .action(async () => {
      const options = command.opts<Options>();
      const { items } = await ask(options, (client) => question(client, command.args, limitOf(options)));
      if (options.json) return print(toJson(items));
      if (options.imeta) return print(items.map((gif) => toJson(toImeta(gif))).join('\n'));
      return await printGifs(items, options.pictures !== false && showsPictures(process.stdout, process.env));
    });
}

function asking(command: Command, description: string): Command {
  return command
    .description(description)
    .option(...SERVICE)
    .option('--limit <n>', `maximum number of results, up to ${MOST}`, readLimit)
    .option('--json', 'print the result as JSON');
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MOST) {
    throw new InvalidArgumentError(`It must be a number from 1 to ${MOST}.`);
  }
  return limit;
}

function limitOf({ limit }: Options): { limit?: number } {
  return limit === undefined ? {} : { limit };
}

async function ask<Answer>(options: Options, question: (client: GifClient) => Promise<Answer>): Promise<Answer> {
  const client = clientFor(options.service);
  try {
    return await question(client);
  } catch (error) {
    if (!(error instanceof GifError)) throw error;
    const hint = error.code === 'client_not_registered' ? '; set ZOETROPE_KEY to your API key' : '';
    throw new OperatorError(`${client.url}: ${error.message}${hint}`);
  }
}

/** Returns a client of a service. @param service its URL. Default: the service on this machine */
function clientFor(service: string | undefined): GifClient {
  const url = (service ?? ownAddress()).replace(/\/+$/, '');
  // No key is sent to the local service, because it admits this machine without a key, and ZOETROPE_KEY could be the
  // key of another service.
  const isOwn = service === undefined && LOOPBACK.test(url);
  const apiKey = isOwn ? undefined : process.env['ZOETROPE_KEY'];
  return createClient({ url, ...(apiKey ? { apiKey } : { fetch: openerFor(url) }) });
}

function ownAddress(): string {
  const { host, port } = loadConfig(process.env, process.cwd()).service;
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/**
 * Returns a function that sends requests to a service. The service treats requests from its own machine as requests of
 * the development client.
 */
function openerFor(url: string): typeof fetch {
  if (!LOOPBACK.test(url)) return fetch;
  return (address, init) => fetch(address, { ...init, headers: { ...init?.headers, origin: 'http://localhost' } });
}

function termLine({ term, kind, n, fuzzy }: Term): string {
  return `${String(n).padStart(7)}  ${kind.padEnd(9)}  ${term}${fuzzy ? '  (similar spelling)' : ''}`;
}

async function printGifs(gifs: readonly Gif[], withPictures: boolean): Promise<void> {
  if (gifs.length === 0) print('Nothing found.');
  for (const { title, url, width, height, bytes, duration, id, previews } of gifs) {
    const facts = [
      `${width} x ${height}`,
      duration !== null && `${duration.toFixed(1)} s`,
      bytes !== null && sizeOf(bytes),
    ];
    if (withPictures) process.stdout.write(`${await pictureOf(previews.small.still, process.env)}\n`);
    print(`${title || '(no title)'}  ${facts.filter(Boolean).join(', ')}\n  ${id}\n  ${url}`);
  }
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
