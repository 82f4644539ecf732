/**
 * Reasons for reports of GIFs by the types of reports in Nostr events. All other types count as `other`.
 * Source: NIP-56.
 */
export const REPORT_TYPES: Readonly<Record<string, 'adult' | 'illegal'>> = { nudity: 'adult', illegal: 'illegal' };
