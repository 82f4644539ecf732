export { withReserve } from '../platform/db/index.ts';
export { checkBlobs } from './check-blobs.ts';
export { CATALOGUE_MIGRATIONS, DATA_MIGRATIONS, REGISTRY_MIGRATIONS } from './migrations.ts';
export {
  type CommandProgress,
  describeEnd,
  type Ended,
  followCommand,
  isDead,
  readCommand,
  runCommand,
} from './run-command.ts';
export {
  describeClock,
  findHolders,
  type Holding,
  isWorkFree,
  isWorkShared,
  joinNodes,
  machineOf,
  openEmbedder,
  openMedia,
  openService,
  type Service,
  takeCatalogueLock,
  takeFolderLock,
  takeNextPlace,
  takeWorkLock,
  type Work,
} from './service.ts';
export { foldersOf, migrateCatalogue, openCatalogue, openStore, type Store, UNFINISHED } from './store.ts';
