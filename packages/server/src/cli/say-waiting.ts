import { tell } from './print.ts';
/** Prints why a command waits. @param holder the process that it waits for */
export function sayWaiting(holder: string): void {
  tell(`${holder} is working on this catalogue. Waiting for it to finish; press Ctrl-C to give up.`);
}
