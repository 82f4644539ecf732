/** When GIFs move: according to the device's setting, always, or never. */
export const MOTIONS = ['system', 'always', 'never'] as const;
export type Motion = (typeof MOTIONS)[number];

const KEY = 'gif-picker motion';

/** Returns the user's choice on this device, or undefined if there is none. */
export function readMotion(): Motion | undefined {
  try {
    return asMotion(localStorage.getItem(KEY));
  } catch {
    return undefined;
  }
}

/** Stores the user's choice on this device, for the pickers of all services. */
export function keepMotion(motion: Motion): void {
  try {
    localStorage.setItem(KEY, motion);
  } catch {
    // Storage can be full or forbidden. The choice is then lost when the page is closed.
  }
}

export function asMotion(text: unknown): Motion | undefined {
  return MOTIONS.find((motion) => motion === text);
}
