/* The modules that services serve as one file: the SDK, and saving on Blossom servers. */

export { type EventTemplate, ownFirst, type Saved, type SaveOptions, type Signer, saveTo } from './blossom.ts';
export * from './index.ts';
