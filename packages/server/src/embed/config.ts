import { type Static, Type } from 'typebox';

export const EmbedConfig = Type.Object({
  provider: Type.Union(
    [Type.Literal('bundled'), Type.Literal('table'), Type.Literal('onnx'), Type.Literal('http'), Type.Literal('none')],
    {
      env: 'ZOETROPE_EMBEDDER',
      default: 'bundled',
      description:
        'The model that turns text into vectors. bundled: the English model that comes with Zoetrope; table: a table of English words, which needs no process; onnx: a model folder; http: a server; none: no semantic search',
    },
  ),
  model: Type.String({
    env: 'ZOETROPE_EMBEDDER_MODEL',
    default: 'multilingual-e5-small',
    minLength: 1,
    maxLength: 1000,
    description: 'onnx: name of a folder in ZOETROPE_DATA/models, or a path; http: the name of the model on the server',
  }),
  url: Type.String({
    env: 'ZOETROPE_EMBEDDER_URL',
    default: '',
    pattern: '^$|^https?://',
    description: 'http: base URL of the server, which must accept POST BASE/v1/embeddings',
  }),
  key: Type.String({
    env: 'ZOETROPE_EMBEDDER_KEY',
    default: '',
    description: 'http: secret sent as a bearer token; empty: none',
  }),
  dimensions: Type.Integer({
    env: 'ZOETROPE_EMBEDDER_DIMENSIONS',
    default: 384,
    minimum: 128,
    maximum: 4096,
    description: 'http: number of dimensions of the model, a multiple of 128',
  }),
  cacheEntries: Type.Integer({
    former: 'ZOETROPE_EMBEDDER_CACHE',
    default: 20_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Number of query vectors cached in memory, about 2 kB each',
  }),
  modelsUrl: Type.String({
    env: 'ZOETROPE_MODELS_URL',
    default: 'https://huggingface.co',
    pattern: '^https?://',
    description: 'Server from which `zoetrope models pull` downloads models. A mirror must have the same paths',
  }),
});
export type EmbedConfig = Static<typeof EmbedConfig>;
