import type { WorkSummary } from '../service.ts';

/** Refusals shown one by one; the rest is counted. */
const SHOWN = 20;

/** What a person reads after `add`. */
export function summarise({ added, linked, refused, build, documents }: WorkSummary): string {
  const lines = [
    `${added} files taken in, ${linked} linked GIFs read. ${documents} GIFs can be found (build ${build}).`,
  ];
  if (refused.length === 0) return lines.join('\n');
  const byReason = new Map<string, number>();
  for (const { reason } of refused) byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
  const counts = [...byReason].sort((a, b) => b[1] - a[1]).map(([reason, n]) => `${reason} ${n}`);
  lines.push(`${refused.length} refused: ${counts.join(', ')}`);
  for (const { key, message } of refused.slice(0, SHOWN)) lines.push(`  ${printable(key)}: ${printable(message)}`);
  if (refused.length > SHOWN) lines.push(`  ... and ${refused.length - SHOWN} more; --json lists all of them`);
  return lines.join('\n');
}

/** A file may be named so that a terminal obeys its name. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\x${character.codePointAt(0)!.toString(16).padStart(2, '0')}`);
}
