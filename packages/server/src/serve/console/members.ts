import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { MemberList, MemberUpload } from '@zoetrope/contract/account';
import {
  type Authorisation,
  type Console,
  type NewUpload,
  readMembers,
  requireType,
  toNpub,
  type UnwantedFile,
  type WantedList,
  type WantedMirror,
} from '../../account/index.ts';
import { systemClock, within } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { deleteUpload } from '../../catalog/index.ts';
import { findImportOf, requestSources, sweepUploads } from '../../ingest/index.ts';
import { DownloadError, Fetcher } from '../../platform/fetch/index.ts';
import { machineOf, type Service } from '../../service/index.ts';
import {
  countUploads,
  findFile,
  findUpload,
  noteUploader,
  recordUpload,
  requireQuota,
  requireUnused,
  type Upload,
  type UploadQuota,
  uploadsOf,
  useAuthorisation,
  usedQuota,
} from '../../uploads/index.ts';
import { askForWork } from '../../work/index.ts';

/** Maximum number of files that are downloaded for members at the same time. */
const MOST_MIRRORS = 4;
/** Maximum time for downloading a file, less than the time after which the caller's connection is closed. */
const MIRROR_MS = 30_000;
/** Maximum time until the threads withhold a new file. They usually do within half a second. */
const TELL_MS = 10_000;

function notTold(): ServiceError {
  return new ServiceError('upstream_unavailable', 'The catalogue is busy; upload the file again', { retryAfter: 30 });
}

interface Surroundings {
  /** Folder of files from browsers and members. */
  uploads: string;
  /** Ends downloads when the service stops. */
  stopping: AbortSignal;
  /** Resolves when all threads withhold the GIFs that the catalogue hides at this revision. */
  told(revision: number): Promise<void>;
}

type MemberFunctions = Pick<
  Console,
  'checkUpload' | 'takeUpload' | 'mirrorUpload' | 'uploadsOf' | 'listUploads' | 'deleteUpload' | 'members'
>;

/** Returns the functions that take in files from members. */
export function createMembers(service: Service, { uploads, stopping, told }: Surroundings): MemberFunctions {
  const { config, store } = service;
  const { db } = store;
  const quota: UploadQuota = { files: config.account.memberFiles, bytes: config.account.memberBytes };
  let mirrors = 0;

  const take = async (file: NewUpload): Promise<MemberUpload> => {
    const at = systemClock.now();
    const { authorisation, path: source, ...upload } = file;
    const { sha256, run } = upload;
    if (authorisation !== undefined) {
      requireAllowed(authorisation, sha256);
      await useAuthorisation(db, forFile(authorisation, sha256), at);
    }
    const known = await findKnown(service, sha256, at);
    if (known !== undefined) {
      await noteUploader(db, upload);
      await removeRun(uploads, run);
      return known;
    }
    const revision = await recordUpload(db, { ...upload, at }, quota);
    // Nobody must get the file before an operator has reviewed it, even if the file is read within milliseconds.
    await within(TELL_MS, told(revision), notTold);
    const sources = [{ type: 'file', path: source, awaitsReview: true } as const];
    await requestSources(db, sources, { run, machine: machineOf(service), command: [source] });
    await askForWork(service);
    await sweepUploads(db, uploads, at);
    return toMemberUpload({ ...upload, at }, 'processing');
  };

  return {
    async checkUpload({ pubkey, sha256, bytes, authorisation }) {
      const now = systemClock.now();
      if (sha256 !== undefined) {
        if (authorisation !== undefined) await requireUnused(db, forFile(authorisation, sha256));
        const known = await findKnown(service, sha256, now);
        if (known !== undefined) return known;
      }
      await requireQuota(db, { pubkey, bytes, at: now }, quota);
      return null;
    },
    takeUpload: (file) => take(file).catch((error) => removeRun(uploads, file.run).then(() => Promise.reject(error))),
    async mirrorUpload(wanted) {
      const now = systemClock.now();
      const { pubkey, authorisation } = wanted;
      const [only, ...others] = authorisation.hashes;
      const known = others.length === 0 ? await findKnown(service, only!, now) : undefined;
      if (known !== undefined) {
        await useAuthorisation(db, forFile(authorisation, only!), now);
        await noteUploader(db, { sha256: only!, pubkey });
        return known;
      }
      if (others.length === 0) await requireUnused(db, forFile(authorisation, only!));
      await requireQuota(db, { pubkey, bytes: 1, at: now }, quota);
      if (mirrors >= MOST_MIRRORS) {
        throw new ServiceError('rate_limited', 'Other files are being downloaded; try again', { retryAfter: 5 });
      }
      mirrors++;
      try {
        return await take(await download(service, wanted, { uploads, stopping }));
      } finally {
        mirrors--;
      }
    },
    ...createLists(service, quota, told),
  };
}

/** Returns the functions that show and delete uploads. */
function createLists(
  service: Service,
  quota: UploadQuota,
  told: Surroundings['told'],
): Pick<Console, 'uploadsOf' | 'listUploads' | 'deleteUpload' | 'members'> {
  const { config, store } = service;
  const { db } = store;
  return {
    async uploadsOf(pubkey) {
      const now = systemClock.now();
      const { files, bytes } = await usedQuota(db, pubkey, now);
      const found: MemberUpload[] = [];
      for (const upload of await uploadsOf(db, pubkey)) found.push(await toShown(service, upload));
      return { uploads: found, used: { files, bytes }, quota, maxFileBytes: config.media.maxBytes };
    },
    members: () => listMembers(service, quota),
    listUploads: (wanted) => list(service, wanted),
    async deleteUpload(file) {
      const revision = await withdraw(service, file);
      await within(TELL_MS, told(revision), notTold);
    },
  };
}

async function listMembers({ config, store }: Service, quota: UploadQuota): Promise<MemberList> {
  const now = systemClock.now();
  const counts = await countUploads(store.db);
  const members: MemberList['members'] = [];
  for (const pubkey of await readMembers(config.account)) {
    const { files, bytes } = await usedQuota(store.db, pubkey, now);
    members.push({ npub: await toNpub(pubkey), files, bytes, uploads: counts.get(pubkey) ?? 0 });
  }
  return { members, quota };
}

async function list(service: Service, { pubkey, cursor, limit, ...times }: WantedList): Promise<MemberUpload[]> {
  const { db } = service.store;
  let after: Upload | undefined = cursor === undefined ? undefined : await findUpload(db, cursor);
  if (cursor !== undefined && after?.pubkey !== pubkey) {
    throw new ServiceError('validation', 'cursor must be the hash of a file that you uploaded');
  }
  const found: MemberUpload[] = [];
  for (;;) {
    const page = await uploadsOf(db, pubkey, { ...times, after });
    for (const upload of page) {
      if (found.length === limit) return found;
      const shown = await toShown(service, upload);
      if (shown.state !== 'refused') found.push(shown);
    }
    if (page.length === 0) return found;
    after = page.at(-1);
  }
}

/** @returns the catalogue's revision from which on the file is hidden */
async function withdraw(service: Service, { pubkey, sha256, authorisation }: UnwantedFile): Promise<number> {
  const { db } = service.store;
  const now = systemClock.now();
  const used = authorisation && forFile(authorisation, sha256);
  if (authorisation !== undefined) requireAllowed(authorisation, sha256);
  const upload = await findUpload(db, sha256);
  if (upload?.pubkey === pubkey) {
    if (used !== undefined) await requireUnused(db, used);
    if ((await toShown(service, upload)).state === 'processing') {
      throw new ServiceError('conflict', 'The service is still reading this file; delete it in a minute');
    }
  }
  const revision = await deleteUpload(db, { sha256, pubkey, now });
  if (used !== undefined) await useAuthorisation(db, used, now);
  return revision;
}

/** One authorisation can be for several files, each of which can be uploaded once. */
function forFile({ id, expiresAt }: Authorisation, sha256: string): { id: string; expiresAt: number } {
  return { id: `${id}:${sha256}`, expiresAt };
}

function requireAllowed({ hashes }: Authorisation, sha256: string): void {
  if (hashes.includes(sha256)) return;
  throw new ServiceError('login_refused', `The authorisation is for another file; this one has the hash ${sha256}`);
}

/**
 * Returns the upload of bytes that this service has, or undefined if the bytes still have to be uploaded.
 * @throws ServiceError `forbidden` if the bytes are not accepted
 */
async function findKnown(service: Service, sha256: string, now: number): Promise<MemberUpload | undefined> {
  const { db } = service.store;
  const file = await findFile(db, sha256);
  const upload = await findUpload(db, sha256);
  if (file !== undefined) {
    const at = upload?.at ?? now;
    return toMemberUpload({ sha256, at, ...file }, file.inReview ? 'waiting' : 'accepted');
  }
  if (upload === undefined) return undefined;
  const run = await findRun(service, upload);
  if (run === undefined) return undefined;
  const [refusal] = run.refusals;
  if (refusal !== undefined) throw new ServiceError('forbidden', `This file was refused: ${refusal.message}`);
  return run.endedAt === null ? toMemberUpload(upload, 'processing') : undefined;
}

/** Returns the import of an upload, or undefined if the service stopped before the import began. */
async function findRun({ store }: Service, { run }: Upload) {
  try {
    return await findImportOf(store.db, run);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

const LOST = 'The service stopped before it read the file; upload it again';

async function toShown(service: Service, upload: Upload): Promise<MemberUpload> {
  try {
    const known = await findKnown(service, upload.sha256, upload.at);
    return known ?? toMemberUpload(upload, 'refused', LOST);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return toMemberUpload(upload, 'refused', error.message);
  }
}

function toMemberUpload(
  { sha256, bytes, format, at }: Omit<Upload, 'pubkey' | 'run'>,
  state: MemberUpload['state'],
  reason = '',
): MemberUpload {
  return { sha256, bytes, format, at, state, reason };
}

/** Downloads a file into the folder of its import. */
async function download(
  { config }: Service,
  { pubkey, url, authorisation }: WantedMirror,
  { uploads, stopping }: Pick<Surroundings, 'uploads' | 'stopping'>,
): Promise<NewUpload> {
  const { maxBytes } = config.media;
  const fetcher = new Fetcher(config.fetch);
  try {
    const bytes = await fetcher.download(url, { maxBytes, timeoutMs: MIRROR_MS, signal: stopping });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    requireAllowed(authorisation, sha256);
    const format = requireType(bytes);
    const run = randomUUID();
    // A name that is a hash does not become a title.
    const file = path.join(uploads, run, `${sha256}.${format}`);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, bytes);
    return { pubkey, bytes: bytes.length, format, run, sha256, path: file, authorisation };
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    throw new ServiceError('validation', `url cannot be downloaded: ${error.message}`, { cause: error });
  } finally {
    await fetcher.close();
  }
}

function removeRun(uploads: string, run: string): Promise<void> {
  return fs.rm(path.join(uploads, run), { recursive: true, force: true });
}
