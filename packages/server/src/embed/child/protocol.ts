/** Kind of text; some models embed the two differently. */
export type TextKind = 'query' | 'document';

/** Which engine to load; the first message to the process. */
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

/** How to use the model of a folder. */
export interface ModelSettings {
  readonly dimensions: number;
  /** How the vectors of a text's tokens become one vector: their mean, or the first token's vector. */
  readonly pooling: 'mean' | 'cls';
  /** Prefixes that the model was trained with. */
  readonly prefixes: { readonly query: string; readonly passage: string };
}

export interface RunMessage {
  readonly kind: TextKind;
  readonly texts: readonly string[];
}

/** The vectors of a run's texts, in order, of unit length. */
export interface Rows {
  /** Row by row, only for texts with something to embed. */
  readonly values: Float32Array;
  /** Whether the text has a row. */
  readonly present: readonly boolean[];
}

/** Messages of the process: `loaded` or `broken` once, then one `done` or `failed` per run. */
export type ChildMessage =
  | { readonly type: 'loaded' }
  | { readonly type: 'broken'; readonly message: string; readonly operator: boolean }
  | { readonly type: 'done'; readonly rows: Rows }
  | { readonly type: 'failed'; readonly message: string; readonly operator: boolean };
