import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import AdmZip from 'adm-zip';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OperatorError } from '../../base/errors.ts';
import { writeModelFolder } from '../testing/model-folder.ts';
import { closeTestEmbedders, createTestEmbedder } from '../testing/test-embedder.ts';
import { listModels, pullModel, pullPinned } from './models.ts';
import { PINS, type Pin } from './pins.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let folder: string;
let models: string;
let pin: Pin;
let server: Server;
let url: string;
/** The requested paths and ranges. */
let asked: string[];
let answer: Answer;
let progress: string[];
/** Called when bytes have arrived at the client. */
let arrived: () => void;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-pull-'));
  models = path.join(folder, 'models');
  writeModelFolder(path.join(folder, 'hub'));
  pin = {
    name: 'tiny',
    licence: 'MIT',
    language: 'en',
    repository: 'zoetrope/tiny',
    revision: 'abc',
    files: [pinned('model.onnx'), pinned('tokenizer.json')],
    settings: { dimensions: 128, pooling: 'mean', prefixes: { query: '', passage: '' } },
  };
  asked = [];
  progress = [];
  arrived = () => {};
  answer = serveFile;
  server = createServer((request, response) => {
    asked.push([request.url, request.headers.range].filter(Boolean).join(' '));
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await closeTestEmbedders();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  fs.rmSync(folder, { recursive: true });
});

function pinned(as: 'model.onnx' | 'tokenizer.json') {
  const sha256 = createHash('sha256')
    .update(fs.readFileSync(path.join(folder, 'hub', as)))
    .digest('hex');
  return { path: `onnx/${as}`, as, sha256, maxBytes: 100_000 };
}

/** Serves the hub's file that has the last name in the path. Supports ranges. */
function serveFile(request: IncomingMessage, response: ServerResponse): void {
  const bytes = fs.readFileSync(path.join(folder, 'hub', path.basename(request.url!)));
  const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from > 0 && from >= bytes.length) return void response.writeHead(416).end();
  const headers = { 'content-length': bytes.length - from };
  const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
  response.writeHead(from > 0 ? 206 : 200, from > 0 ? { ...headers, ...range } : headers).end(bytes.subarray(from));
}

function pull(
  changes: Partial<Pin> = {},
  { signal = new AbortController().signal, from }: { signal?: AbortSignal; from?: string } = {},
): Promise<string> {
  const onProgress = (file: string, done: number, total: number | null): void => {
    progress.push(`${file} ${done}/${total}`);
    arrived();
  };
  return pullPinned({ ...pin, ...changes }, { models, url, onProgress, signal, from });
}

describe('a pulled model', () => {
  test('embeds', async () => {
    expect(await pull()).toBe(path.join(models, 'tiny'));
    expect(asked).toEqual(['model.onnx', 'tokenizer.json'].map((file) => `/zoetrope/tiny/resolve/abc/onnx/${file}`));
    const { size } = fs.statSync(path.join(models, 'tiny', 'model.onnx'));
    expect(progress).toContain(`model.onnx ${size}/${size}`);
    expect(fs.readdirSync(models)).toEqual(['tiny']);
    const embedder = await createTestEmbedder({ provider: 'onnx', model: 'tiny' }, models);
    await expect(embedder.embedQuery('cat', 30_000)).resolves.toHaveLength(128);
  });

  test('is not pulled again while it is intact, and is repaired if it is damaged', async () => {
    const file = path.join(await pull(), 'model.onnx');
    await pull();
    expect(asked).toHaveLength(2);
    fs.appendFileSync(file, 'damage');
    await pull();
    expect(asked).toHaveLength(4);
  });

  test('can be redirected', async () => {
    answer = (request, response) => {
      if (request.url!.startsWith('/elsewhere')) return serveFile(request, response);
      response.writeHead(302, { location: `/elsewhere/${path.basename(request.url!)}` }).end();
    };
    await expect(pull()).resolves.toBeDefined();
  });
});

describe('an interrupted download', () => {
  const breakOff: Answer = (request, response) => {
    const bytes = fs.readFileSync(path.join(folder, 'hub', path.basename(request.url!)));
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 1000));
    arrived = () => response.destroy();
  };

  test('resumes', async () => {
    answer = breakOff;
    await expect(pull()).rejects.toThrow(
      /127\.0\.0\.1:\d+ cannot be reached, or it closed the connection: .*Run the command again/,
    );
    expect(fs.existsSync(path.join(models, 'tiny'))).toBe(false);
    const { size } = fs.statSync(path.join(models, 'tiny.partial', 'model.onnx'));
    answer = serveFile;
    await pull();
    expect(size).toBeGreaterThan(0);
    expect(asked[1]).toMatch(new RegExp(`model\\.onnx bytes=${size}-$`));
  });

  test('does not fetch files again that are complete', async () => {
    answer = (request, response) =>
      request.url!.endsWith('.onnx') ? serveFile(request, response) : response.writeHead(500).end();
    await expect(pull()).rejects.toThrow('status 500');
    answer = serveFile;
    await pull();
    expect(asked.map((url) => path.basename(url))).toEqual(['model.onnx', 'tokenizer.json', 'tokenizer.json']);
  });

  test.each<[string, Answer]>([
    [
      'does not support ranges',
      (request, response) => serveFile({ ...request, url: request.url, headers: {} } as never, response),
    ],
    [
      'has no more bytes',
      (request, response) => {
        if (request.headers.range === undefined) serveFile(request, response);
        else response.writeHead(416).end();
      },
    ],
  ])('starts again if the server %s', async (_, later) => {
    answer = breakOff;
    await expect(pull()).rejects.toThrow('closed the connection');
    answer = later;
    await expect(pull()).resolves.toBeDefined();
  });

  test("rejects with the signal's reason if the operator aborted it", async () => {
    const controller = new AbortController();
    answer = () => controller.abort();
    await expect(pull({}, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a model of a package', () => {
  const other = 'tokenizer of a package';

  /** Writes the files of the hub, with other names, and another tokenizer first. @returns the path of the package */
  function pack(kind: 'folder' | 'archive', names: Record<string, string | Buffer>): string {
    const from = path.join(folder, kind === 'folder' ? 'site-packages' : 'tiny.jar');
    const zip = new AdmZip();
    for (const [name, content] of Object.entries(names)) {
      zip.addFile(name, Buffer.from(content));
      if (kind === 'archive') continue;
      fs.mkdirSync(path.dirname(path.join(from, name)), { recursive: true });
      fs.writeFileSync(path.join(from, name), content);
    }
    if (kind === 'archive') zip.writeZip(from);
    return from;
  }

  const hub = (name: string) => fs.readFileSync(path.join(folder, 'hub', name));

  test.each(['folder', 'archive'] as const)('is copied from its %s without the network', async (kind) => {
    const files = {
      'META-INF/other.json': '{}',
      'data/tiny-q.onnx': hub('model.onnx'),
      'a.json': hub('tokenizer.json'),
    };
    await pull({}, { from: pack(kind, files) });
    expect(asked).toEqual([]);
    const embedder = await createTestEmbedder({ provider: 'onnx', model: 'tiny' }, models);
    await expect(embedder.embedQuery('cat', 30_000)).resolves.toHaveLength(128);
  });

  test('can have another file that is known, and is used with its own checksum', async () => {
    const tokenizer = Buffer.concat([hub('tokenizer.json'), Buffer.from('\n')]);
    const others = [createHash('sha256').update(tokenizer).digest('hex')];
    const files = [pin.files[0]!, { ...pin.files[1]!, others }];
    await pull({ files }, { from: pack('folder', { 'm.onnx': hub('model.onnx'), 't.json': tokenizer }) });
    const embedder = await createTestEmbedder({ provider: 'onnx', model: 'tiny' }, models);
    await expect(embedder.embedQuery('cat', 30_000)).resolves.toHaveLength(128);
  });

  test.each<['folder' | 'archive', Record<string, string>, RegExp]>([
    [
      'folder',
      { 'x.txt': other },
      /site-packages has no \*\.onnx file: expected model\.onnx with the SHA-256 [0-9a-f]{64}$/,
    ],
    ['archive', { 'x.onnx': other }, /tiny\.jar has 1 \*\.onnx files, but not the pinned one: expected model\.onnx/],
    ['archive', { 'x.onnx': 'x'.repeat(100_001) }, /has no \*\.onnx file/],
  ])('is refused if the %s has only %j', async (kind, files, message) => {
    await expect(pull({}, { from: pack(kind, files) })).rejects.toThrow(message);
    expect(fs.existsSync(path.join(models, 'tiny'))).toBe(false);
  });

  test('is refused if there is nothing that can be read', async () => {
    const file = path.join(folder, 'no.jar');
    await expect(pull({}, { from: file })).rejects.toThrow(/no\.jar cannot be read: ENOENT/);
    for (const content of ['', 'no archive', new AdmZip().toBuffer().subarray(4)]) {
      fs.writeFileSync(file, content);
      const refused = pull({}, { from: file });
      await expect(refused).rejects.toThrow(OperatorError);
      await expect(refused).rejects.toThrow(/no\.jar is no archive that can be read: .*Give a folder/);
    }
  });
});

describe('an error message reports', () => {
  test.each([401, 404, 500])('status %i', async (status) => {
    answer = (_, response) => response.writeHead(status).end();
    const pulled = pull();
    await expect(pulled).rejects.toThrow(OperatorError);
    await expect(pulled).rejects.toThrow(
      new RegExp(`127.0.0.1:\\d+ returned status ${status} for /zoetrope/tiny/.*ZOETROPE_MODELS_URL`),
    );
  });

  test('an unreachable server', async () => {
    await new Promise((resolve) => server.close(resolve));
    await expect(pull()).rejects.toThrow(
      /127.0.0.1:\d+ cannot be reached, or it closed the connection: .*ECONNREFUSED/,
    );
  });

  test('a wrong checksum, and the file is deleted', async () => {
    answer = (_, response) => response.end('something else');
    await expect(pull()).rejects.toThrow(/model.onnx has the SHA-256 .* instead of .* and was deleted/);
    answer = serveFile;
    await expect(pull()).resolves.toBeDefined();
    expect(asked.at(-2)).not.toContain('bytes=');
  });

  test('more bytes than the model can have', async () => {
    const files = pin.files.map((file) => ({ ...file, maxBytes: 500 }));
    await expect(pull({ files })).rejects.toThrow('more than 500 bytes');
  });

  test('an unknown model', async () => {
    const options = { models, url, onProgress: () => {}, signal: new AbortController().signal };
    await expect(pullModel('gpt', options)).rejects.toThrow(
      'Available models: all-minilm-l6-v2, multilingual-e5-small',
    );
  });
});

test('the models that can be pulled are listed, and every pin is complete', async () => {
  expect(await listModels(models)).toMatchObject([
    { name: 'all-minilm-l6-v2', language: 'en', dimensions: 384, maxBytes: 23_972_370, pulled: false },
    { name: 'multilingual-e5-small', language: null, dimensions: 384, pulled: false },
  ]);
  for (const { revision, settings, files } of PINS) {
    expect(revision).toMatch(/^[0-9a-f]{40}$/);
    expect(settings.dimensions % 128).toBe(0);
    expect(files.map(({ as }) => as)).toEqual(['model.onnx', 'tokenizer.json']);
    for (const { sha256, others = [] } of files)
      for (const checksum of [sha256, ...others]) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  }
});
