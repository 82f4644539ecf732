/** Tells why a command waits. @param holder the process for which it waits */
export function sayWaiting(holder: string): void {
  console.error(`${holder} is working on this data folder. Waiting for it to finish; press Ctrl-C to give up.`);
}
