import path from 'node:path';
import type { ImportDetails, ImportRun } from '@zoetrope/contract/account';
import type { Console } from '../../account/index.ts';
import { systemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import {
  filesOfUpload,
  findImport,
  findImportOf,
  type Import,
  pageOfImports,
  type Source,
  setPaused,
  sweepUploads,
} from '../../ingest/index.ts';
import { recordAct } from '../../registry/index.ts';
import { machineOf, type Service } from '../../service/index.ts';
import { reportOnNodes } from '../../upkeep/index.ts';
import { askForWork, readSources, requestSoon } from '../../work/index.ts';
import { forOperators } from './for-operators.ts';
import { uploadsIn } from './uploads.ts';

/** Returns the functions that add GIFs and show what became of them. @param uploads folder of files from browsers */
export function createImports(
  service: Service,
  uploads: string,
): Pick<Console, 'imports' | 'findImport' | 'startImport' | 'pauseImport' | 'retryImport'> {
  const { db } = service.store;
  return {
    async imports(before) {
      await sweepUploads(db, uploads, systemClock.now());
      const { jobs: queue } = await reportOnNodes(service);
      return { imports: (await pageOfImports(db, before)).map((found) => toRun(service, found)), queue };
    },
    findImport: async (id) => toDetails(service, await findImport(db, id)),
    async startImport(wanted) {
      if ('path' in wanted) return start(service, await readArguments([wanted.path]));
      const files = await filesOfUpload(uploads, wanted.batch);
      if (files.length === 0) throw new ServiceError('validation', 'This batch has no files');
      return start(service, await readArguments(files), wanted.batch);
    },
    async pauseImport(by, id, paused) {
      const { isPaused, command } = await findImport(db, id);
      await service.registry.ready();
      await setPaused(db, id, paused);
      if (paused !== isPaused) {
        const action = paused ? 'import pause' : 'import continue';
        await recordAct(service.registry.db, by, { action, subject: `${id}: ${namesOf(command)}` });
      }
      if (!paused) await askForWork(service);
      return toDetails(service, await findImport(db, id));
    },
    async retryImport(id) {
      const { command } = await findImport(db, id);
      return start(service, await readArguments(command));
    },
  };
}

/** Returns a short description of the sources of an import. */
function namesOf([first = '', ...others]: readonly string[]): string {
  return `${path.basename(first)}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

/** Reads the arguments of `zoetrope add`. @throws ServiceError `validation` */
function readArguments(command: readonly string[]): Promise<Source[]> {
  const other = command.find((argument) => !isReadable(argument));
  if (other !== undefined) {
    const cure = /^(https?:|--link$)/.test(other) ? 'use `zoetrope jobs retry`' : 'give an absolute path';
    throw new ServiceError('validation', `${other} cannot be added here: ${cure}`);
  }
  return forOperators(async () => readSources(command));
}

/** Whether an argument of `zoetrope add` has the same meaning in every folder and without options. */
function isReadable(argument: string): boolean {
  return path.isAbsolute(argument) || /^starter(:fluent)?$/.test(argument);
}

async function start(service: Service, sources: Source[], run: string = crypto.randomUUID()): Promise<ImportDetails> {
  const names = sources.map((source) => ('path' in source ? source.path : `starter:${source.pack}`));
  await requestSoon(service, sources, names, run);
  return toDetails(service, await findImportOf(service.store.db, run));
}

function toRun(service: Service, found: Import): ImportRun {
  const { id, command: sources, machine, startedAt, endedAt, added, known, linked, refused, open } = found;
  const { isPaused: paused } = found;
  const uploads = uploadsIn(service.store.folder) + path.sep;
  // Uploaded files are removed when their import has ended.
  const isThere = (source: string) => isReadable(source) && !source.startsWith(uploads);
  const retryable = endedAt !== null && machine === machineOf(service) && sources.every(isThere);
  return { id, sources, machine, startedAt, endedAt, added, known, linked, refused, open, paused, retryable };
}

function toDetails(service: Service, found: Awaited<ReturnType<typeof findImport>>): ImportDetails {
  const refusals = found.refusals.map(({ key, reason, message }) => ({ key, reason, message }));
  return { ...toRun(service, found), refusals };
}
