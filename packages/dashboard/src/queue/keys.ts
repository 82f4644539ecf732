/** The keys of the queue. */
export const KEYS = ['j', 'k', 'Enter', 'v', 'h', 's', 'a', 'b', 'd', 'y', 'n', 'r', 'u', '?'] as const;
export type Key = (typeof KEYS)[number];

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
  if (defaultPrevented || ctrlKey || metaKey || altKey || !isKey(key)) return null;
  const element = target instanceof Element ? target : null;
  if (element?.closest('input, textarea, select, dialog') != null) return null;
  // If a button or a link has the focus, Enter activates it.
  if (key === 'Enter' && element?.closest('a, button, summary') != null) return null;
  return key;
}

function isKey(key: string): key is Key {
  return (KEYS as readonly string[]).includes(key);
}
