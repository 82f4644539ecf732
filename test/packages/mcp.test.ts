import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeGifs } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { programCommand, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { TOOLS } from './app.ts';

interface Result {
  isError?: boolean;
  content: { type: string; text?: string; uri?: string; data?: string; mimeType?: string }[];
  structuredContent?: { items: { id: string; url: string; imeta: string[] }[] };
}

/** The part of the official client that the tests use. The package is imported by path: only the tests install it. */
interface Client {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  getServerVersion(): { name: string };
  listTools(): Promise<{ tools: { name: string; description: string; inputSchema: { required?: string[] } }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<Result>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(what: { uri: string }): Promise<{ contents: { blob: string; mimeType: string }[] }>;
}

const PNG = '89504e470d0a1a0a';
const MCP = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_FACES: 'mcp' };

describe.skipIf(!parts.packageTools)('the official client of the Model Context Protocol', () => {
  const folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  let service: Server;
  let key: string;

  beforeAll(async () => {
    const gifs = path.join(folder.path, 'gifs');
    writeGifs(gifs, 10);
    const { code, stderr } = await zoetrope(data, ['add', '--quiet', gifs], MCP);
    expect(code, stderr).toBe(0);
    const added = await zoetrope(data, ['client', 'add', 'Assistant']);
    const id = /is client (\w+)/.exec(added.stdout)![1]!;
    key = /zoe_\w+/.exec((await zoetrope(data, ['key', 'create', id, '--name', 'mcp'])).stdout)![0];
    service = await startServer(data, MCP);
  });

  afterAll(async () => {
    await service?.stop();
    folder[Symbol.dispose]();
  });

  const load = (name: string) =>
    import(pathToFileURL(path.join(TOOLS, '@modelcontextprotocol/client/dist', name)).href);

  const transports = {
    async http() {
      const { StreamableHTTPClientTransport } = await load('index.mjs');
      return new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      });
    },
    async stdio() {
      const { StdioClientTransport } = await load('stdio.mjs');
      const [command, ...args] = programCommand(['mcp', '--service', service.url]);
      return new StdioClientTransport({ command, args, env: { ...process.env, ZOETROPE_KEY: key } });
    },
  };

  async function connect(kind: keyof typeof transports): Promise<Client> {
    const { Client } = await load('index.mjs');
    const client: Client = new Client({ name: 'test', version: '1' });
    await client.connect(await transports[kind]());
    return client;
  }

  describe.each(['http', 'stdio'] as const)('over %s', (kind) => {
    let client: Client;
    beforeAll(async () => {
      client = await connect(kind);
    });
    afterAll(() => client?.close());

    it('lists the tools', async () => {
      expect(client.getServerVersion().name).toBe('zoetrope');
      const { tools } = await client.listTools();
      expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
        ['search_gifs', ['query']],
        ['similar_gifs', ['id']],
        ['gif', ['id']],
      ]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['gif://{id}']);
    });

    it('calls each tool, and reads a picture', async () => {
      const found = await client.callTool({ name: 'search_gifs', arguments: { query: 'happy dance', limit: 2 } });
      const items = found.structuredContent!.items;
      expect(items).toHaveLength(2);
      expect(JSON.parse(found.content[0]!.text!)).toEqual(items);
      const [first] = items;
      expect(first!.imeta).toContain(`url ${first!.url}`);
      expect(found.content.slice(1).map(({ uri }) => uri)).toEqual(items.map(({ id }) => `gif://${id}`));
      const { structuredContent: similar } = await client.callTool({
        name: 'similar_gifs',
        arguments: { id: first!.id },
      });
      expect(similar!.items.map(({ id }) => id)).not.toContain(first!.id);
      expect(similar!.items).toHaveLength(8);
      const one = await client.callTool({ name: 'gif', arguments: { id: first!.id } });
      expect(one.structuredContent!.items).toEqual([first]);
      const picture = one.content.find(({ type }) => type === 'image')!;
      expect(picture.mimeType).toBe('image/png');
      expect(Buffer.from(picture.data!, 'base64').toString('hex').slice(0, PNG.length)).toBe(PNG);
      const { contents } = await client.readResource({ uri: `gif://${first!.id}` });
      expect(contents).toMatchObject([{ mimeType: 'image/png', blob: picture.data }]);
    });

    it('says what is wrong', async () => {
      const calls = [
        { name: 'gif', arguments: { id: 'unknown.gif' } },
        { name: 'similar_gifs', arguments: { id: 'unknown.gif' } },
        { name: 'search_gifs', arguments: { query: '' } },
        { name: 'search_gifs', arguments: { query: 'x', limit: 1000 } },
      ];
      const results = await Promise.all(calls.map((call) => client.callTool(call)));
      expect(results.map(({ isError }) => isError)).toEqual([true, true, true, true]);
      expect(results[0]!.content[0]!.text).toContain('No GIF has the id unknown.gif');
      expect(results[1]!.content[0]!.text).toContain('No GIF has the id unknown.gif');
      expect(results[3]!.content[0]!.text).toContain('24');
    });
  });

  describe('without the client', () => {
    const send = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${service.url}/mcp`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      });
    const own = () => ({ authorization: `Bearer ${key}` });

    it('clients of the version of 2025 are answered', async () => {
      const opening = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
      };
      const opened = await send(JSON.stringify(opening), own());
      expect(await readMessage(opened)).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
      const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'search_gifs' } };
      const called = await send(
        JSON.stringify({ ...call, params: { ...call.params, arguments: { query: 'party' } } }),
        { ...own(), 'mcp-protocol-version': '2025-06-18' },
      );
      expect(await readMessage(called)).toMatchObject({
        id: 2,
        result: { structuredContent: { items: Array(8).fill({}) } },
      });
    });

    it('only admitted callers are answered', async () => {
      for (const headers of [{}, { authorization: 'Bearer zoe_wrong' }, { origin: 'https://stranger.example' }]) {
        const { status } = await send('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers);
        expect(status).toBe(403);
      }
    });

    it.each(['', 'x', '{', '[]', 'null', '{"jsonrpc":"2.0"}'])('the body %j is refused', async (body) => {
      const response = await send(body, own());
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
    });

    it('a body that is too large is refused', async () => {
      const response = await send(`"${'x'.repeat(70_000)}"`, own());
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('too large');
    });
  });

  it('a service that does not offer this API has no such path', async () => {
    using other = temporaryFolder();
    await using plain = await startServer(other.path, { ...MCP, ZOETROPE_FACES: '' });
    const response = await fetch(`${plain.url}/mcp`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(405);
  });

  it('behind a proxy, the images of each address are counted apart', async () => {
    await service.stop();
    service = await startServer(data, { ...MCP, ZOETROPE_TRUST_PROXY: '1', ZOETROPE_RATES: 'media=1' });
    const { items } = await (await service.get('/api/discover/v1/trending?limit=2')).json();
    const look = async (at: number, address: string) => {
      const params = { name: 'gif', arguments: { id: items[at].id } };
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        headers: {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...{ authorization: `Bearer ${key}`, 'x-forwarded-for': address, 'mcp-protocol-version': '2025-06-18' },
        },
      });
      const { result } = (await readMessage(response)) as { result: Result };
      return result.isError === true ? result.content[0]!.text : 'shown';
    };
    expect(await look(0, '192.0.2.1')).toBe('shown');
    expect(await look(1, '192.0.2.1')).toContain('HTTP 429');
    expect(await look(1, '192.0.2.2')).toBe('shown');
  });
});

/** Reads a JSON-RPC message that is sent as JSON, or as the only event of a stream. */
async function readMessage(response: Response): Promise<unknown> {
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}
