/** Kind of text. Some models embed queries and documents differently. */
export type TextKind = 'query' | 'document';

/** The engine to load. This is the first message to the process. */
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

/** Settings for using a folder's model. */
export interface ModelSettings {
  readonly dimensions: number;
  /**
   * Method that turns the vectors of a text's tokens into one vector. mean: their mean. cls: the first token's vector.
   */
  readonly pooling: 'mean' | 'cls';
  /** The prefixes of texts with which the model was trained. */
  readonly prefixes: { readonly query: string; readonly passage: string };
}

export interface RunMessage {
  readonly kind: TextKind;
  readonly texts: readonly string[];
}

/** The vectors of a run's texts, in order, of unit length. */
export interface Rows {
  /** The vectors row by row. Only texts with something to embed have a row. */
  readonly values: Float32Array;
  /** Whether the text has a row. */
  readonly present: readonly boolean[];
}

/**
 * Messages of the process. The first message is `loaded` or `broken`. After that, there is one `done` or `failed` for
 * each run.
 */
export type ChildMessage =
  | { readonly type: 'loaded' }
  | { readonly type: 'broken'; readonly message: string; readonly operator: boolean }
  | { readonly type: 'done'; readonly rows: Rows }
  | { readonly type: 'failed'; readonly message: string; readonly operator: boolean };
