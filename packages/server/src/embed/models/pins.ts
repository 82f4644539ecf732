import type { ModelFolderSettings } from '../model-folder.ts';

/** A model that can be pulled: its source, its checksums, and how to use it. */
export interface Pin {
  /** Its folder in ZOETROPE_DATA/models. */
  readonly name: string;
  readonly licence: string;
  /** Its repository on the hub, and the revision that identifies its bytes. */
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
  /** Maximum size; a larger file cannot be the pinned one. */
  readonly maxBytes: number;
}

/**
 * The revision and checksums are those that several public projects independently state for the same files; the files
 * themselves were not available when this was written. Prefixes and pooling are from the model's card.
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
