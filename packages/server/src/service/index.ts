export { checkBlobs } from './check-blobs.ts';
export { describeEnd, type Ended, isDead, runCommand } from './run-command.ts';
export { openEmbedder, openMedia, openService, type Service, takeWriterLock } from './service.ts';
export { foldersOf, REGISTRY_MIGRATIONS, type Store, UNFINISHED } from './store.ts';
