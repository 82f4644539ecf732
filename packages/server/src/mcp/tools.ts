import { fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { type Gif, type GifClient, toImeta } from '@zoetrope/client';
import { ID_PATTERN, LIMITS } from '@zoetrope/contract';
import { type Static, type TSchema, Type } from 'typebox';

/** The bytes of a still picture. */
export interface Picture {
  bytes: Uint8Array;
  mimeType: string;
}

export interface ToolParts {
  client: Pick<GifClient, 'search' | 'similar' | 'gifs'>;
  /** Loads a picture of the service. Rejects if it cannot be loaded. */
  readPicture(url: string): Promise<Picture>;
  version: string;
}

/** Maximum number of GIFs per result. More GIFs would only fill the assistant's context. */
const MOST = 24;
const USUAL = 8;
const SCHEME = 'gif://';

const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MOST, description: `Maximum number of GIFs, ${USUAL} by default` }),
);
const id = Type.String({ pattern: ID_PATTERN, description: 'Id of a GIF, as in a list of GIFs' });
const Search = schemaOf(
  Type.Object({
    query: Type.String({
      minLength: 1,
      maxLength: LIMITS.queryMaxLength,
      description: 'What the GIF shows or says, in any language: words, a feeling, or emoji',
    }),
    limit,
  }),
);
const Similar = schemaOf(Type.Object({ id, limit }));
const One = schemaOf(Type.Object({ id }));

function schemaOf<Schema extends TSchema>(schema: Schema) {
  return fromJsonSchema<Static<Schema>>(schema as object);
}

const INSTRUCTIONS =
  'Finds GIFs to post. Put the `url` of a GIF on a line of its own into a note, and its `imeta` into the tags of the ' +
  'event (NIP-92). Look at a GIF with the tool `gif`, or by reading its resource.';

/** All tools only read. */
const annotations = { readOnlyHint: true, openWorldHint: false };

/**
 * Creates a server of the Model Context Protocol with the tools `search_gifs`, `similar_gifs` and `gif`, and with each
 * GIF's still as the resource `gif://ID`. An error of the service becomes the text of the result.
 */
export function createServer({ client, readPicture, version }: ToolParts): McpServer {
  const server = new McpServer({ name: 'zoetrope', title: 'Zoetrope', version }, { instructions: INSTRUCTIONS });
  const find = async (wanted: string): Promise<Gif> => {
    const [gif] = await client.gifs([wanted]);
    if (gif === undefined) throw new Error(`No GIF has the id ${wanted}`);
    return gif;
  };
  const still = async (gif: Gif) => {
    const { bytes, mimeType } = await readPicture(gif.previews.w240.still);
    return { data: Buffer.from(bytes).toString('base64'), mimeType };
  };
  server.registerTool(
    'search_gifs',
    {
      title: 'Search GIFs',
      description: 'Searches GIFs by words, emoji or meaning, in any language',
      inputSchema: Search,
      annotations,
    },
    async ({ query, limit: wanted = USUAL }) => list((await client.search(query, { limit: wanted })).items),
  );
  server.registerTool(
    'similar_gifs',
    {
      title: 'Similar GIFs',
      description: 'Lists GIFs that look like a given one',
      inputSchema: Similar,
      annotations,
    },
    async ({ id: wanted, limit: most = USUAL }) => list((await client.similar(wanted, { limit: most })).items),
  );
  server.registerTool(
    'gif',
    {
      title: 'Show a GIF',
      description: 'Returns the facts about one GIF, and its first frame as a picture',
      inputSchema: One,
      annotations,
    },
    async ({ id: wanted }) => {
      const gif = await find(wanted);
      const facts = list([gif]);
      return { ...facts, content: [...facts.content, { type: 'image' as const, ...(await still(gif)) }] };
    },
  );
  server.registerResource(
    'still',
    new ResourceTemplate(`${SCHEME}{id}`, { list: undefined }),
    { title: 'The first frame of a GIF', mimeType: 'image/png' },
    async (uri, { id: wanted }) => {
      const { data, mimeType } = await still(await find(String(wanted)));
      return { contents: [{ uri: uri.href, mimeType, blob: data }] };
    },
  );
  return server;
}

/** Returns the facts about GIFs for programs, the same facts as text, and a link to the still of each GIF. */
function list(gifs: readonly Gif[]) {
  const items = gifs.map((gif) => {
    const { id, title, tags, url, width, height, bytes, duration } = gif;
    return { id, title, tags, url, width, height, bytes, duration, imeta: toImeta(gif) };
  });
  const links = gifs.map(({ id, title }) => ({
    type: 'resource_link' as const,
    uri: `${SCHEME}${id}`,
    name: title || id,
    mimeType: 'image/png',
  }));
  const text = items.length === 0 ? 'No GIF was found' : JSON.stringify(items);
  return { content: [{ type: 'text' as const, text }, ...links], structuredContent: { items } };
}
