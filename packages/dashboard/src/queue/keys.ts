/** The keys of the queue, with what they do. */
export const KEYS = {
  j: 'Next entry',
  k: 'Previous entry',
  Enter: 'Open the GIF or the client',
  v: 'Show the picture without blur, or blur it again',
  h: 'Hide the GIF',
  s: 'Mark it as safe',
  a: 'Mark it as adult',
  b: 'Block it, also as a file',
  d: 'Dismiss its reports',
  y: "Approve the client's first request",
  n: "Reject the client's first request, with the reason",
  r: 'Go to the reason, from which Enter goes back',
  u: 'Undo the last decision about a GIF',
  '?': 'Show these keys',
} as const;
export type Key = keyof typeof KEYS;

/** Where this browser stores that the keys are off. */
const STORED = 'zoetrope-queue-keys';

export function areKeysOn(): boolean {
  return localStorage.getItem(STORED) !== 'off';
}

export function switchKeys(on: boolean): void {
  localStorage.setItem(STORED, on ? 'on' : 'off');
}

/** Returns the key of the queue that was pressed, or null if the key is for something else. */
export function keyOf({ key, target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): Key | null {
  if (defaultPrevented || ctrlKey || metaKey || altKey || !(key in KEYS)) return null;
  const element = target instanceof Element ? target : null;
  if (element?.closest('input, textarea, select, dialog') != null) return null;
  // On a button or a link, Enter presses it.
  if (key === 'Enter' && element?.closest('a, button, summary') != null) return null;
  return key as Key;
}
