import fs from 'node:fs';
import path from 'node:path';
import { accountMigration, termsMigration } from '../account/index.ts';
import { OperatorError } from '../base/errors.ts';
import {
  addressHostMigration,
  blockedMigration,
  catalogMigration,
  claimMigration,
  claimOrderMigration,
  linkMigration,
  marksMigration,
  moderationMigration,
  ratingCountMigration,
  ratingMigration,
  reportChannelMigration,
  seenPicturesMigration,
  vectorMigration,
  verifiedClaimsMigration,
  verifiedMigration,
} from '../catalog/index.ts';
import { ordersMigration, reservationsMigration } from '../payments/index.ts';
import { type Database, migrate, openDatabase, Reserve } from '../platform/db/index.ts';
import { jobMigration } from '../platform/jobs/index.ts';
import { relayMigration, relayUsageMigration } from '../platform/relay/index.ts';
import { auditOwnersMigration, detailsMigration, proofsMigration, registryMigration } from '../registry/index.ts';

/** The data folder: one database, the media, the builds. */
export interface Store {
  folder: string;
  media: string;
  builds: string;
  starter: string;
  /** Pulled models. */
  models: string;
  db: Database;
  /** Reserved disk space. */
  reserve: Reserve;
}

/** In order. A released migration is never changed. */
const MIGRATIONS = {
  '0001-catalog': catalogMigration,
  '0002-jobs': jobMigration,
  '0003-vectors': vectorMigration,
  '0004-registry': registryMigration,
  '0005-seen-pictures': seenPicturesMigration,
  '0006-links': linkMigration,
  '0007-details': detailsMigration,
  '0008-account': accountMigration,
  '0009-orders': ordersMigration,
  '0010-ratings': ratingMigration,
  '0011-blocked': blockedMigration,
  '0012-proofs': proofsMigration,
  '0013-relays': relayMigration,
  '0014-claims': claimMigration,
  '0015-rating-counts': ratingCountMigration,
  '0016-moderation': moderationMigration,
  '0017-reservations': reservationsMigration,
  '0018-claim-order': claimOrderMigration,
  '0019-marks': marksMigration,
  '0020-report-channels': reportChannelMigration,
  '0021-verified': verifiedMigration,
  '0022-verified-claims': verifiedClaimsMigration,
  '0023-relay-usage': relayUsageMigration,
  '0024-address-hosts': addressHostMigration,
  '0025-audit-owners': auditOwnersMigration,
  '0026-terms': termsMigration,
};

/** Tables of other rooms in a separate registry database. */
export const REGISTRY_MIGRATIONS = {
  '0004-account': accountMigration,
  '0005-orders': ordersMigration,
  '0006-proofs': proofsMigration,
  '0007-reservations': reservationsMigration,
  '0009-terms': termsMigration,
};

/** Marks a folder whose restore or backup is not complete. */
export const UNFINISHED = 'unfinished';

/** Opens the data folder, creating it if necessary. @throws OperatorError if it is not writable */
export async function openStore(folder: string): Promise<Store> {
  const store = { folder, ...foldersOf(folder) };
  if (fs.existsSync(path.join(folder, UNFINISHED))) {
    throw new OperatorError(
      `The data folder ${folder} (ZOETROPE_DATA) is only partly restored. Finish it with zoetrope restore`,
    );
  }
  try {
    for (const made of [folder, store.media, store.builds]) fs.mkdirSync(made, { recursive: true });
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new OperatorError(`The data folder ${folder} (ZOETROPE_DATA) is not writable: ${code}`, { cause });
  }
  const reserve = new Reserve(folder);
  const db = openDatabase(store.database, { reserve });
  await migrate(db, MIGRATIONS);
  reserve.fill();
  return { ...store, db, reserve };
}

/** Paths within the data folder. */
export function foldersOf(folder: string): Omit<Store, 'folder' | 'db' | 'reserve'> & { database: string } {
  return {
    database: path.join(folder, 'zoetrope.db'),
    media: path.join(folder, 'media'),
    builds: path.join(folder, 'builds'),
    starter: path.join(folder, 'starter'),
    models: path.join(folder, 'models'),
  };
}
