import { counted } from '../base/plain-text.ts';
import type { WorkSummary } from '../work/index.ts';

/** Maximum number of refused files that are listed by name. The other files are only counted. */
const SHOWN = 20;

/** Returns the summary printed after `add`. */
export function summarise({ added, known, linked, refused, build, documents, withheld }: WorkSummary): string {
  const here = known === 0 ? '' : `, ${known} were here already`;
  const lines = [
    `${counted(added, 'file')} added${here}, ${counted(linked, 'linked GIF')} read. ${counted(documents, 'GIF')} can be found (build ${build}).`,
  ];
  lines.push(...describeWithheld(withheld), ...describeRefused(refused));
  return lines.join('\n');
}

/** Lists withheld files, with the commands for looking at each file and for confirming it. */
function describeWithheld(withheld: WorkSummary['withheld']): string[] {
  if (withheld.length === 0) return [];
  const [are, them] = withheld.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const lines = [
    `${withheld.length} of your own files ${are} withheld because the models rated ${them} adult. To decide:`,
  ];
  for (const { id, source } of withheld.slice(0, SHOWN)) {
    lines.push(`  ${printable(source)}`);
    lines.push(`    zoetrope gif safe ${id}     to show it`, `    zoetrope gif adult ${id}    to confirm`);
  }
  if (withheld.length > SHOWN) {
    lines.push(
      `  ... and ${withheld.length - SHOWN} more. To see them, open "GIFs" in the dashboard and choose "Withheld"`,
    );
  }
  return lines;
}

function describeRefused(refused: WorkSummary['refused']): string[] {
  if (refused.length === 0) return [];
  const byReason = new Map<string, number>();
  for (const { reason } of refused) byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
  const counts = [...byReason].sort((a, b) => b[1] - a[1]).map(([reason, n]) => `${reason} ${n}`);
  const lines = [`${refused.length} rejected: ${counts.join(', ')}`];
  for (const { key, message } of refused.slice(0, SHOWN)) lines.push(`  ${printable(key)}: ${printable(message)}`);
  if (refused.length > SHOWN)
    lines.push(`  ... and ${refused.length - SHOWN} more; zoetrope jobs show lists all of them`);
  return lines;
}

/** Escapes control characters in file names, because a terminal would interpret them. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\x${character.codePointAt(0)!.toString(16).padStart(2, '0')}`);
}
