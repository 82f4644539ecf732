export {
  type CheckResult,
  checkCatalogue,
  type ReadResult,
  readCatalogue,
  removeCatalogue,
} from './follow.ts';
export { NoManifest, shownKey } from './manifest.ts';
export { type Publication, publishCatalogue } from './publish.ts';
export { catalogueAddress, fetchManifest } from './remote.ts';
export { reportFollowed, reportPublished } from './report.ts';
export { addCatalogue, type CatalogueRow, listCatalogues, sharingMigrations } from './tables.ts';
