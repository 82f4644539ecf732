import type { ModeratedGif, ReviewItem } from '@zoetrope/contract/account';

/** Event fired after a decision. */
export const DECIDED = 'decided';

export type Decision =
  | { kind: 'gif'; gif: ModeratedGif; done: string }
  | { kind: 'client'; clientId: string; items: ReviewItem[]; done: string };

/** Tells the pages around an element about a decision. */
export function tellDecision(element: HTMLElement, decision: Decision): void {
  element.dispatchEvent(new CustomEvent<Decision>(DECIDED, { detail: decision, bubbles: true }));
}
