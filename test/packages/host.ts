import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export interface Host {
  origin: string;
  stop(): Promise<void>;
}

/** Serves the files in a folder as any static file server does. */
export async function serveFiles(folder: string): Promise<Host> {
  const server = http.createServer((request, response) => {
    const file = path.join(folder, new URL(request.url!, 'http://localhost').pathname);
    if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) response.writeHead(404).end();
    else response.setHeader('content-type', TYPES[path.extname(file)] ?? '').end(fs.readFileSync(file));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export interface Note {
  kind: number;
  content: string;
  tags: string[][];
}

/** Opens the panel of one of the examples and searches. @returns the first GIF */
export async function search(page: Page, query: string): Promise<Locator> {
  await page.getByRole('button', { name: 'GIF', exact: true }).click();
  // Opening the panel focuses its search field.
  const field = page.locator('input:focus');
  await field.fill(query);
  await field.press('Enter');
  const gif = page.getByRole('button', { name: new RegExp(`^${query}`) }).first();
  await gif.waitFor();
  return gif;
}

/** Writes a note in one of the examples, puts the first GIF of a search into it, and posts it. */
export async function postNote(page: Page, text: string, query: string): Promise<Note> {
  await page.getByLabel('What is going on?').fill(text);
  await (await search(page, query)).click();
  await page.getByRole('button', { name: 'Post' }).click();
  return JSON.parse(await page.locator('pre', { hasText: '{' }).innerText()) as Note;
}
