/** What a text is to a model: some embed the two differently. */
export type TextKind = 'query' | 'document';

/** Which engine the process loads; the first message it gets. */
export type EngineOptions =
  | { readonly provider: 'bundled' }
  | { readonly provider: 'onnx'; readonly folder: string; readonly settings: ModelSettings }
  | {
      readonly provider: 'http';
      readonly url: string;
      readonly key: string;
      readonly model: string;
      readonly dimensions: number;
    };

/** How the model of a folder is to be used. */
export interface ModelSettings {
  readonly dimensions: number;
  /** How the vectors of a text's tokens become one: their mean, or that of the first token. */
  readonly pooling: 'mean' | 'cls';
  /** What the model was trained to see before a text. */
  readonly prefixes: { readonly query: string; readonly passage: string };
}

export interface RunMessage {
  readonly kind: TextKind;
  readonly texts: readonly string[];
}

/** The vectors of the texts of a run, in order; unit length. */
export interface Rows {
  /** Row by row, only of texts that had something to embed. */
  readonly values: Float32Array;
  /** Whether the text has a row. */
  readonly present: readonly boolean[];
}

/** The process' words: `loaded` or `broken` once, then for each run one `done` or `failed`. */
export type ChildMessage =
  | { readonly type: 'loaded' }
  | { readonly type: 'broken'; readonly message: string; readonly operator: boolean }
  | { readonly type: 'done'; readonly rows: Rows }
  | { readonly type: 'failed'; readonly message: string; readonly operator: boolean };
