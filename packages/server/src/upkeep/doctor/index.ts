import fs from 'node:fs';
import type { Log } from '../../base/log.ts';
import type { Config } from '../../config.ts';
import { openBlobs } from '../../platform/blobs/index.ts';
import { closePostgres, openDatabase } from '../../platform/db/index.ts';
import { foldersOf, openCatalogue, openMedia, takeWorkLock } from '../../service/index.ts';
import { type Finding, note, type Report, well } from './finding.ts';
import { describeMedia, findMediaTrouble, type MediaOptions, repairMedia } from './media.ts';
import {
  type Examined,
  examineBuild,
  examineDatabase,
  examineEmbedder,
  examineFolder,
  examineLanguages,
  examineLinked,
  examineNodes,
  examineOffensiveWords,
  examineOrders,
  examinePayments,
  examineRating,
  examineShadow,
  examineStore,
  examineSynonyms,
  examineVideo,
  examineWork,
} from './service.ts';

export type { Finding, Report };

export interface DoctorTask extends Pick<MediaOptions, 'onProgress' | 'signal'> {
  /**
   * no: media are not checked. look: all media are checked. repair: all media are checked, and files that can be
   * regenerated are repaired.
   */
  media: 'no' | 'look' | 'repair';
}

/**
 * Checks all parts that a service needs. Changes nothing, except for requested repairs. A service can run at the same
 * time.
 * @throws OperatorError if a setting is missing, or if media are to be repaired while another process writes
 */
export async function examine(config: Config, log: Log, task: DoctorTask): Promise<Report> {
  const folder = config.service.data;
  const folders = foldersOf(folder);
  const findings: Finding[] = [well('settings', 'all are valid'), await examineFolder(config.service)];
  if (!fs.existsSync(folder)) return { well: false, findings };
  const blobs = openBlobs(config.s3, folders.media, config.service.diskReserveBytes);
  const { databaseUrl } = config.registry;
  if (databaseUrl === '' && !fs.existsSync(folders.database)) {
    findings.push(note('database', `there is none in ${folder} yet; the first start or zoetrope add creates it`));
    return { well: isWell(findings), findings };
  }
  const db = databaseUrl === '' ? openDatabase(folders.database, { readonly: true }) : openCatalogue(databaseUrl);
  try {
    const examined: Examined = { config, log, folders, blobs, db };
    const database = await examineDatabase(examined);
    findings.push(database);
    const checks = [
      examineStore,
      examineVideo,
      examineEmbedder,
      examineSynonyms,
      examineOffensiveWords,
      examineLanguages,
    ];
    if (database.state === 'well')
      checks.unshift(examineBuild, examineWork, examineRating, examineLinked, examinePayments, examineOrders);
    for (const check of checks) findings.push(await check(examined));
    const shadow = database.state === 'well' ? await examineShadow(examined) : undefined;
    if (shadow !== undefined) findings.push(shadow);
    if (database.state === 'well' && databaseUrl !== '') findings.push(await examineNodes(examined));
    const store = findings.find(({ check }) => check === 'media store');
    if (database.state === 'well' && store?.state === 'well') findings.push(...(await examineMedia(examined, task)));
    return { well: isWell(findings), findings };
  } finally {
    await (databaseUrl === '' ? db.destroy() : closePostgres(db));
  }
}

async function examineMedia(examined: Examined, task: DoctorTask): Promise<Finding[]> {
  const { config, log, db, blobs, folders } = examined;
  const { data: folder } = config.service;
  if (task.media === 'no') return [];
  const options: MediaOptions = { ...task, db, blobs, folder: folders.media };
  if (task.media === 'look') return describeMedia(await findMediaTrouble(options));
  const lock = await takeWorkLock({ folder, databaseUrl: config.registry.databaseUrl }, 'writer');
  const media = openMedia({ config, log, blobs, store: { db } });
  try {
    return await repairMedia(await findMediaTrouble(options), media, options);
  } finally {
    await media.close();
    await lock.release();
  }
}

function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== 'wrong');
}
