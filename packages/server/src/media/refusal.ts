export type RefusalReason =
  | 'unreadable'
  | 'wrong_type'
  | 'other_bytes'
  | 'too_large'
  | 'canvas_too_large'
  | 'too_many_pixels'
  | 'too_much_memory'
  | 'too_slow'
  | 'no_frames'
  | 'sizes_disagree'
  | 'broken_frames'
  | 'decoder_failed'
  | 'decoder_crashed'
  | 'timed_out';

/**
 * The error if a file is rejected permanently. The same bytes will always be rejected again. The message names the
 * field and its limit.
 */
export class MediaRefusal extends Error {
  override readonly name = 'MediaRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}
