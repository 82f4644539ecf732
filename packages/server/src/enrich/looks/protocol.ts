/** Frames to describe, one after the other; sent to the process. */
export interface Request {
  readonly frames: Uint8Array;
}

/** The process's words: `loaded` or `broken` once, then `described` or `failed` for each request. */
export type Reply =
  | { readonly type: 'loaded' }
  | { readonly type: 'described'; readonly descriptor: Float32Array }
  | { readonly type: 'broken' | 'failed'; readonly message: string };
