export { InputRefusal, type LinkedGif } from './candidate.ts';
export {
  findImport,
  findImportOf,
  type Import,
  ingestMigrations,
  pageOfImports,
  refusalsOfPath,
  setPaused,
} from './imports.ts';
export { INCOMING } from './incoming.ts';
export {
  dropFileJobs,
  hasOpenFiles,
  hasOpenSources,
  hasOpenWork,
  hasUnfinishedJobs,
  type IngestOptions,
  type IngestSummary,
  requestSources,
  runIngest,
  runPreviews,
} from './ingest.ts';
export type { OnProgress, Progress } from './progress.ts';
export { kindsOfMachine, machineOfKind } from './queues.ts';
export { type FetchedSources, fetchSources } from './sources/fetch-sources.ts';
export { parseRow, toLinkedGif } from './sources/manifest-row.ts';
export { nameOf, parseSource, type Source } from './sources/source.ts';
export { wordsOfName } from './sources/titles.ts';
export { type FillOptions, fillSpace, type SpaceFiller } from './spaces.ts';
export { filesOfUpload, sweepUploads } from './uploads.ts';
