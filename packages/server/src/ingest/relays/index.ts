export { type Authors, authorsOf, FOLLOWS, listedPubkeys, newestLists } from './authors.ts';
export { RelayConfig } from './config.ts';
export { type FilesOptions, seeAddresses } from './files.ts';
export { catchUp, type FollowOptions, followRelay } from './follow.ts';
export { Intake } from './intake.ts';
export { streamsOf } from './streams.ts';
