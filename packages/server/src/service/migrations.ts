import { accountMigrations } from '../account/index.ts';
import { holdMigrations } from '../builds/index.ts';
import { catalogMigrations } from '../catalog/index.ts';
import { historyMigrations } from '../history/index.ts';
import { ingestMigrations } from '../ingest/index.ts';
import { paymentMigrations } from '../payments/index.ts';
import { jobMigrations } from '../platform/jobs/index.ts';
import { nodeMigrations } from '../platform/nodes/index.ts';
import { relayMigrations } from '../platform/relay/index.ts';
import { registryMigrations } from '../registry/index.ts';
import { sharingMigrations } from '../sharing/index.ts';

/*
 * There is one ordered list of migrations for each database. A database records the names of its applied migrations, so
 * a released line must never change. A room that changes its tables adds a line.
 */

/** The migrations of the rooms whose tables belong to the catalogue. */
const CATALOGUE = new Set(
  [
    catalogMigrations,
    historyMigrations,
    holdMigrations,
    ingestMigrations,
    jobMigrations,
    nodeMigrations,
    relayMigrations,
    sharingMigrations,
  ].flatMap((migrations) => Object.values(migrations)),
);

/** For the database in the data folder. */
export const DATA_MIGRATIONS = {
  '0001-catalog': catalogMigrations.catalog,
  '0002-jobs': jobMigrations.jobs,
  '0003-vectors': catalogMigrations.vectors,
  '0004-registry': registryMigrations.registry,
  '0005-seen-pictures': catalogMigrations.seenPictures,
  '0006-links': catalogMigrations.links,
  '0007-details': registryMigrations.details,
  '0008-account': accountMigrations.account,
  '0009-orders': paymentMigrations.orders,
  '0010-ratings': catalogMigrations.ratings,
  '0011-blocked': catalogMigrations.blocked,
  '0012-proofs': registryMigrations.proofs,
  '0013-relays': relayMigrations.relays,
  '0014-claims': catalogMigrations.claims,
  '0015-rating-counts': catalogMigrations.ratingCounts,
  '0016-moderation': catalogMigrations.moderation,
  '0017-reservations': paymentMigrations.reservations,
  '0018-claim-order': catalogMigrations.claimOrder,
  '0019-marks': catalogMigrations.marks,
  '0020-report-channels': catalogMigrations.reportChannels,
  '0021-verified': catalogMigrations.verified,
  '0022-verified-claims': catalogMigrations.verifiedClaims,
  '0023-relay-usage': relayMigrations.usage,
  '0024-address-hosts': catalogMigrations.addressHosts,
  '0025-audit-owners': registryMigrations.auditOwners,
  '0026-terms': accountMigrations.terms,
  '0027-changes': catalogMigrations.changes,
  '0028-rated-gifs': catalogMigrations.ratedGifs,
  '0029-report-order': catalogMigrations.reportOrder,
  '0030-nodes': nodeMigrations.nodes,
  '0031-job-claims': jobMigrations.claims,
  '0032-report-counts': catalogMigrations.reportCounts,
  '0033-challenge-key': accountMigrations.challengeKey,
  '0034-clean-texts': catalogMigrations.cleanTexts,
  '0035-frame-facts': catalogMigrations.frameFacts,
  '0036-move-reasons': catalogMigrations.moveReasons,
  '0037-imports': ingestMigrations.imports,
  '0038-key-expiry': registryMigrations.keyExpiry,
  '0039-added': catalogMigrations.added,
  '0040-operators': accountMigrations.operators,
  '0041-open-reports': catalogMigrations.openReports,
  '0042-usage-by-way': registryMigrations.usageByWay,
  '0043-notices': registryMigrations.notices,
  '0044-handovers': registryMigrations.handovers,
  '0045-client-limits': registryMigrations.clientLimits,
  '0046-history': historyMigrations.history,
  '0047-backups': historyMigrations.backups,
  '0048-pauses': jobMigrations.pauses,
  '0049-author-servers': relayMigrations.authorServers,
  '0050-catalogues': sharingMigrations.catalogues,
  '0051-held-build': holdMigrations.heldBuild,
  '0052-publications': sharingMigrations.publications,
  '0053-packs': catalogMigrations.packs,
  '0054-kept-links': catalogMigrations.keptLinks,
  '0055-uploads': catalogMigrations.uploads,
  '0056-deleted-uploads': catalogMigrations.deletedUploads,
  '0057-file-events': catalogMigrations.fileEvents,
};

/**
 * For the catalogue in a PostgreSQL database. (The registry in that database has its own list.) The numbers are the
 * same as for the data folder.
 */
export const CATALOGUE_MIGRATIONS = Object.fromEntries(
  Object.entries(DATA_MIGRATIONS).filter(([, migration]) => CATALOGUE.has(migration)),
);

/** For a separate registry database. */
export const REGISTRY_MIGRATIONS = {
  '0001-registry': registryMigrations.registry,
  '0002-notify': registryMigrations.notify,
  '0003-details': registryMigrations.details,
  '0004-account': accountMigrations.account,
  '0005-orders': paymentMigrations.orders,
  '0006-proofs': registryMigrations.proofs,
  '0007-reservations': paymentMigrations.reservations,
  '0008-audit-owners': registryMigrations.auditOwners,
  '0009-terms': accountMigrations.terms,
  '0010-challenge-key': accountMigrations.challengeKey,
  '0011-key-expiry': registryMigrations.keyExpiry,
  '0012-operators': accountMigrations.operators,
  '0013-usage-by-way': registryMigrations.usageByWay,
  '0014-notices': registryMigrations.notices,
  '0015-handovers': registryMigrations.handovers,
  '0016-client-limits': registryMigrations.clientLimits,
};
