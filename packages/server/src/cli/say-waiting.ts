import { tell } from './print.ts';
/** Prints the reason why a command waits. @param holder the process for which it waits */
export function sayWaiting(holder: string): void {
  tell(`${holder} is working on this catalogue. Waiting for it to finish; press Ctrl-C to give up.`);
}
