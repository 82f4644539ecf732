import { PACKS } from '../base/nostr.ts';
import type { Authors } from './authors.ts';
import type { RelayConfig } from './config.ts';
import { CLIP, COMMENT, DELETION, FILE, NOTE, PICTURE, REACTION, REPORT, ZAP } from './events/read-event.ts';

const DAY = 86_400;
/**
 * Maximum age of reactions, in days. Older reactions would have almost no weight (see the half-life in
 * `claims/derive.ts`).
 */
const REACTION_DAYS = 90;
/** Maximum age of reports, in days. Older reports are ignored. */
const REPORT_DAYS = 30;
/** If a stream is too long to compare, missed events are looked for only in this number of days before now. */
const REPAIR_DAYS = 2;

/** A part of a relay's events that is read separately. */
export interface Stream {
  name: string;
  filter: { kinds: number[]; authors?: string[]; '#m'?: string[] };
  /** Whether the stream's event ids are stored. This is needed for comparing sets. */
  isCompared: boolean;
  /** Returns the time in seconds since the Unix epoch from which events are read. */
  since(now: number): number;
  /** Returns the time in seconds since the Unix epoch from which missed events are looked for. */
  repairSince(now: number): number;
}

/**
 * Returns the streams of each relay in the order in which they are read. Reactions come later, because they count only
 * for known events.
 */
export function streamsOf(config: RelayConfig, { named }: Authors): Stream[] {
  const authors = named && { authors: [...named] };
  const whole = { isCompared: true, since: () => 0, repairSince: () => 0 };
  const recent = (days: number) => ({
    isCompared: false,
    since: (now: number) => now - days * DAY,
    repairSince: (now: number) => now - Math.min(days, REPAIR_DAYS) * DAY,
  });
  const files = { kinds: [FILE], '#m': ['image/gif', 'image/webp'], ...authors };
  const streams: Stream[] = [{ name: 'files', filter: files, ...whole }];
  if (config.clips === 'on') streams.push({ name: 'clips', filter: { kinds: [CLIP], ...authors }, ...whole });
  if (config.packs === 'on') streams.push({ name: 'packs', filter: { kinds: [...PACKS], ...authors }, ...whole });
  if (config.noteDays > 0) {
    const filter = { kinds: [NOTE, PICTURE, COMMENT], ...authors };
    streams.push({ name: 'notes', filter, ...recent(config.noteDays) });
  }
  streams.push({ name: 'deletions', filter: { kinds: [DELETION], ...authors }, ...whole });
  if (config.reactions === 'on') {
    streams.push({ name: 'reactions', filter: { kinds: [REACTION, ZAP] }, ...recent(REACTION_DAYS) });
  }
  streams.push({ name: 'reports', filter: { kinds: [REPORT], ...authors }, ...recent(REPORT_DAYS) });
  return streams;
}
