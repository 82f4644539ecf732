/** The sentences that a service can neither fulfil nor violate, and why. */
export const EXPLAINS: readonly { n: number; explains: string }[] = [
  { n: 1, explains: 'names the chapters of the specification' },
  { n: 72, explains: 'leaves the transitions open' },
  { n: 127, explains: 'asks for honesty: an Origin that native code made up looks like one that a browser sent' },
  { n: 152, explains: 'advises the developer of a client' },
  { n: 170, explains: 'leaves the policy open' },
];
