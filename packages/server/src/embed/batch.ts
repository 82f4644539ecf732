import type { RunMessage } from './child/protocol.ts';

/** Texts to embed in one run, with callbacks for the result. */
export interface Batch extends RunMessage {
  /** Maximum duration of a run, in milliseconds. If a process takes longer, it counts as hung. */
  readonly limitMs: number;
  /** Called with the vectors in the order of the texts. A vector is null if the text has nothing to embed. */
  done(vectors: (Float32Array | null)[]): void;
  failed(error: Error): void;
}
