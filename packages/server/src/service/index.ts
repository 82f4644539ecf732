export { checkBlobs } from './check-blobs.ts';
export { REGISTRY_MIGRATIONS } from './migrations.ts';
export { describeEnd, type Ended, isDead, runCommand } from './run-command.ts';
export { openEmbedder, openMedia, openService, type Service, takeWriterLock } from './service.ts';
export { foldersOf, type Store, UNFINISHED } from './store.ts';
