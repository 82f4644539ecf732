/**
 * Reasons for reports of GIFs by the types of reports in Nostr events. All other types count as `other`.
 * Source: NIP-56.
 */
export const REPORT_TYPES: Readonly<Record<string, 'adult' | 'illegal'>> = { nudity: 'adult', illegal: 'illegal' };

/**
 * Kinds of packs of emoji (NIP-51) and stickers (a draft). These events have a tag for each picture, so they have more
 * tags than other events.
 */
export const PACKS: readonly number[] = [10_030, 30_030, 30_031];

export function isPackKind(kind: number): boolean {
  return PACKS.includes(kind);
}
