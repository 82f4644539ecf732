import type { ModeratedGif, ReviewItem } from '@zoetrope/contract/account';

/** Event fired after a decision. */
export const DECIDED = 'decided';
/** Event fired after a decision about who takes over a client. */
export const HANDED_OVER = 'handed-over';

export type Decision =
  | { kind: 'gif'; gif: ModeratedGif; done: string }
  | { kind: 'client'; clientId: string; items: ReviewItem[]; done: string };

/** Tells the pages around an element about a decision. */
export function tellDecision(element: HTMLElement, decision: Decision): void {
  element.dispatchEvent(new CustomEvent<Decision>(DECIDED, { detail: decision, bubbles: true }));
}
