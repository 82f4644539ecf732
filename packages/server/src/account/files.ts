import fs from 'node:fs';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { withBasePath } from '../base/base-path.ts';
import { ServiceError } from '../base/errors.ts';
import type { AccountContext } from './context.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/** Allows all relays, because remote signers can use any relay. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' wss:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The browser can cache a file forever, because the file name contains a hash of the content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Registers the dashboard's page for all its URLs, and its built files. */
export function registerFiles(
  app: FastifyInstance,
  { files, publicUrl }: Pick<AccountContext, 'files' | 'publicUrl'>,
): void {
  const sendPage = (reply: FastifyReply) => {
    const page = readFile(path.join(files, 'index.html'));
    if (page === null) {
      throw new ServiceError(
        'not_found',
        'The dashboard has not been built. Start the service with `npm start`, which builds it',
      );
    }
    return reply
      .headers({
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
      .headers(typed('.html'))
      .send(withBasePath(page.toString(), publicUrl));
  };
  app.get('/dashboard', (_, reply) => sendPage(reply));
  app.get('/dashboard/*', (_, reply) => sendPage(reply));
  app.get<{ Params: { name: string } }>('/dashboard/assets/:name', (request, reply) => {
    const { name } = request.params;
    const type = TYPES[path.extname(name)];
    const file = type === undefined || !/^[\w.-]+$/.test(name) ? null : readFile(path.join(files, 'assets', name));
    if (file === null) throw new ServiceError('not_found', `The dashboard has no file ${name.slice(0, 200)}`);
    return reply
      .headers(typed(path.extname(name)))
      .header('cache-control', FOR_EVER)
      .send(file);
  });
}

function typed(extension: string): Record<string, string> {
  return { 'content-type': TYPES[extension]!, 'x-content-type-options': 'nosniff' };
}

/**
 * Returns the content of a file, or null if the file does not exist. Not cached, because the operating system already
 * caches files.
 */
function readFile(file: string): Buffer | null {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
