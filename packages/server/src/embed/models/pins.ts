import type { ModelFolderSettings } from '../model-folder.ts';

/** A model that can be pulled, with its source, its checksums and its settings. */
export interface Pin {
  /** Name of the model's folder in ZOETROPE_DATA/models. */
  readonly name: string;
  readonly licence: string;
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
  /** Maximum size of the file. A larger file cannot be the pinned file. */
  readonly maxBytes: number;
}

/**
 * Several public projects independently publish this revision and these checksums for the same files. The files
 * themselves were not available when these lines were written. Prefixes and pooling are from the model's card.
 */
export const PINS: readonly Pin[] = [
  {
    name: 'multilingual-e5-small',
    licence: 'MIT',
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
