import type { Claim, PackVersion, Vote } from '../../claims/index.ts';
import type { ReportEvent } from '../../moderation/index.ts';
import type { RelayEvent } from '../../platform/relay/index.ts';

/* The content of an event, as far as it is about GIFs. */

/** Reason why an event is ignored. */
export type SaidNothing = 'no_gif' | 'not_https' | 'bad_hash' | 'other_type' | 'pack_too_long';

/** A vote. It can have an embedded event as its proof, whose signature must also be checked. */
export type ReadVote = Vote & { eventId: string; proof?: RelayEvent };

/** A report without its time of arrival. */
export type ReadReport = Omit<ReportEvent, 'seenAt'>;

/** A claim without relay and time of arrival. */
export type Saying = Omit<Claim, 'relay' | 'seenAt'>;

export interface Said {
  claims: Saying[];
  withdrawals: { eventId: string; author: string }[];
  votes: ReadVote[];
  reports: ReadReport[];
  /** Packs that the event replaces or deletes. */
  packs: PackVersion[];
  /** Why pictures of a pack are skipped, one reason for each. */
  skipped: SaidNothing[];
}
