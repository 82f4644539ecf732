import { type Static, Type } from 'typebox';

export const EmbedConfig = Type.Object({
  provider: Type.Union([Type.Literal('bundled'), Type.Literal('onnx'), Type.Literal('http'), Type.Literal('none')], {
    env: 'ZOETROPE_EMBEDDER',
    default: 'bundled',
    description:
      'What turns text into vectors: the English model that comes with Zoetrope, a model folder, a server, or nothing',
  }),
  model: Type.String({
    env: 'ZOETROPE_EMBEDDER_MODEL',
    default: 'multilingual-e5-small',
    minLength: 1,
    maxLength: 1000,
    description: 'onnx: name of a folder in ZOETROPE_DATA/models, or a path; http: the name the server knows',
  }),
  url: Type.String({
    env: 'ZOETROPE_EMBEDDER_URL',
    default: '',
    pattern: '^$|^https?://',
    description: 'http: base address of the server; POST BASE/v1/embeddings is asked',
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
    description: 'http: length of the vectors of the model, a multiple of 128',
  }),
  cacheEntries: Type.Integer({
    env: 'ZOETROPE_EMBEDDER_CACHE',
    default: 20_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Vectors of queries kept in memory, about 2 kB each',
  }),
  modelsUrl: Type.String({
    env: 'ZOETROPE_MODELS_URL',
    default: 'https://huggingface.co',
    pattern: '^https?://',
    description: 'Where `zoetrope models pull` downloads from; a mirror has the same paths',
  }),
});
export type EmbedConfig = Static<typeof EmbedConfig>;
