export { relayAddress, relayAddresses } from './addresses.ts';
export { type Authors, authorsOf, FOLLOWS, listedPubkeys, newestLists, readPubkey } from './authors.ts';
export { RelayConfig } from './config.ts';
export { seeAddresses } from './files.ts';
export { catchUp, followRelay } from './follow.ts';
export { Intake } from './intake.ts';
export { streamsOf } from './streams.ts';
