import type { Command } from 'commander';
import { counted } from '../../base/plain-text.ts';
import type { MarkingAuthor } from '../../claims/index.ts';
import {
  followRelays,
  ignoreMarks,
  leaveRelay,
  marksOf,
  type RelaysReport,
  reportOnRelays,
} from '../../relays/index.ts';
import { print, toJson } from '../print.ts';
import { stopSignal } from '../stop-signal.ts';
import { withService } from '../with-service.ts';
import { onCommandLine } from './on-command-line.ts';

/** Adds the commands for relays. There is no command for adding a relay here, because `zoetrope add` adds relays. */
export function addRelayCommands(program: Command): void {
  const relays = program
    .command('relays')
    .description(
      'show and remove the relays that GIFs come from, and the adult marks of their GIFs (zoetrope add wss://HOST adds a relay)',
    );
  relays
    .command('list', { isDefault: true })
    .description("show each relay's state, progress and event counts")
    .option('--json', 'print the result as JSON')
    .action(async (options: { json?: boolean }) => {
      const report = await withService(reportOnRelays);
      print(options.json ? toJson(report) : tabulate(report));
    });
  relays
    .command('remove')
    .description('stop following a relay, and keep its GIFs')
    .argument('<url>', 'URL of the relay, from zoetrope relays list')
    .action((url: string) => withService((service) => leaveRelay(service, onCommandLine(), url)));
  relays
    .command('marks')
    .description('show the authors who mark GIFs as adult, most marks first')
    .option('--json', 'print the result as JSON')
    .action(async (options: { json?: boolean }) => {
      const authors = await withService(marksOf);
      print(options.json ? toJson(authors) : tabulateMarks(authors));
    });
  for (const [name, ignored, description] of [
    ['ignore-marks', true, 'ignore all adult marks on a GIF or by an author'],
    ['count-marks', false, 'stop ignoring the adult marks on a GIF or by an author'],
    ['heed-marks', false, 'the former name of count-marks'],
  ] as const) {
    relays
      .command(name, { hidden: name === 'heed-marks' })
      .description(description)
      .argument(
        '<id-or-pubkey>',
        'id of a GIF, or hexadecimal public key of an author; `zoetrope relays marks` lists both',
      )
      .action(async (subject: string) => {
        const gifs = await withService((service) => ignoreMarks(service, onCommandLine(), subject, ignored));
        print(
          gifs === null ? 'Nothing changed: the marks were already in this state.' : `Done. Affected GIFs: ${gifs}`,
        );
      });
  }
  relays
    .command('follow')
    .description(
      'follow all relays until you stop the command; not needed while the service runs, which follows them itself',
    )
    .action(() => {
      const stopping = new AbortController();
      void stopSignal().then(() => stopping.abort());
      return withService((service) => followRelays(service, stopping.signal));
    });
}

function tabulateMarks(authors: readonly MarkingAuthor[]): string {
  if (authors.length === 0) return 'No author has marked GIFs from relays as adult.';
  return authors
    .map(({ author, gifs, ignored }) => `${author}  ${counted(gifs, 'GIF')}${ignored ? ' (ignored)' : ''}`)
    .join('\n');
}

function tabulate({ relays, addresses, follower }: RelaysReport): string {
  if (relays.length === 0) return 'There are no relays. Use zoetrope add wss://RELAY, or set ZOETROPE_RELAYS.';
  const lines = relays.flatMap(({ url, state, error, changedAt, streams, counts }) => {
    const since = new Date(changedAt).toISOString();
    const { taken = 0, ...others } = counts;
    return [
      `${url}: ${state} since ${since}${error === null ? '' : ` (${error})`}`,
      ...streams.map(({ stream, head, gaps }) => {
        const missing =
          gaps.length === 0 ? '' : `, except ${gaps.map(({ since, until }) => `${day(since)} to ${day(until)}`)}`;
        return `  ${stream.padEnd(10)} read up to ${day(head)}${missing}`;
      }),
      `  ${counted(taken, 'event')} ingested; skipped: ${list(Object.entries(others))}`,
    ];
  });
  const found = addresses.map(({ state, reason, n }): [string, number] => [
    reason === null ? state : `${state}: ${reason}`,
    n,
  ]);
  const followed = follower === null ? [] : [`Followed by ${follower}`];
  return [...lines, `GIF URLs: ${list(found)}`, ...followed].join('\n');
}

function list(counts: readonly [string, number][]): string {
  return counts.length === 0 ? 'none' : counts.map(([name, n]) => `${name} ${n}`).join(', ');
}

function day(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ');
}
