import Type, { type Static } from 'typebox';
import { Running, Time } from './values.ts';

/** The state of the whole service, for operators. */

const Count = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0, description: 'In bytes' });
const Text = Type.String();
const OrNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** What waits for an operator. */
export const Waiting = Type.Object({
  gifs: Type.Integer({ minimum: 0, description: 'GIFs that are reported, uncertain or withheld' }),
  clients: Type.Integer({ minimum: 0, description: 'Requests of clients' }),
  handovers: Type.Integer({ minimum: 0, description: 'Requests to take over a client' }),
});
export type Waiting = Static<typeof Waiting>;

/** The build that an operator holds, so that no other build is published, and since when; null if there is none. */
const Held = OrNull(Type.Object({ build: Text, at: Time }));

export const Overview = Type.Object({
  gifs: Type.Object({ found: Count, catalogue: Count, toReview: Count }),
  build: OrNull(Text),
  held: Held,
  jobs: Type.Object({ open: Count, oldestSeconds: OrNull(Count) }),
  clients: Type.Object({ approved: Count, others: Count }),
  freeBytes: Bytes,
  embedder: Type.String({ description: 'State of the embedder: starting, ready, degraded, down or none' }),
  search: Type.String({ description: 'Whether searches reach their index: ok, away or gone' }),
  growing: Type.Boolean({ description: 'Whether GIFs are still being added' }),
  nodes: Type.Array(
    Type.Object({ machine: Text, role: Text, build: OrNull(Text), behind: OrNull(Type.Integer()), claims: Count }),
    { description: 'Processes that share the catalogue; empty if it is in the data folder' },
  ),
  stranded: Type.Array(Type.Object({ machine: Text, open: Count }), {
    description: 'Open jobs that need files of machines without a live process',
  }),
  relays: Type.Array(Type.Object({ url: Text, state: Text, error: OrNull(Text), changedAt: Time, taken: Count })),
  backups: Type.Object({
    lastAt: OrNull(Time),
    problem: Type.String({ description: 'Why the last attempt failed; empty if it succeeded' }),
  }),
});
export type Overview = Static<typeof Overview>;

/** The findings of `zoetrope doctor`, and the space on the disk. */
export const HealthReport = Type.Object({
  checking: Type.Boolean({
    description: 'Whether the checks run now, which takes up to a minute. Ask again for their findings',
  }),
  checkedAt: OrNull(Time),
  findings: Type.Array(
    Type.Object({
      check: Text,
      state: Type.Union([Type.Literal('well'), Type.Literal('note'), Type.Literal('wrong')]),
      message: Type.String({ description: 'What was found, with the command or setting that cures it' }),
      items: Type.Array(Text),
    }),
  ),
  disk: OrNull(Type.Object({ media: Bytes, builds: Bytes, starter: Bytes, models: Bytes, others: Bytes })),
});
export type HealthReport = Static<typeof HealthReport>;

export const SettingList = Type.Object({
  settings: Type.Array(
    Type.Object({
      variable: Type.String({ description: 'Environment variable' }),
      table: Type.String({ description: 'Table in a configuration file' }),
      name: Type.String({ description: 'Name in this table' }),
      value: Type.String({ description: 'The value in force. Secrets are masked' }),
      default: Text,
      source: Type.Union([Type.Literal('default'), Type.Literal('variable'), Type.Literal('file')]),
      values: Type.String({ description: 'The allowed values' }),
      description: Text,
    }),
  ),
  file: Type.String({ description: 'The configuration file that was read; empty if there is none' }),
});
export type SettingList = Static<typeof SettingList>;

const Milliseconds = Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
  description: 'Estimated from a histogram, in milliseconds; null without searches. 1000 means a second or more',
});

export const Span = Type.Union([Type.Literal('day'), Type.Literal('month')]);
export type Span = Static<typeof Span>;

/** The searches of one interval, and the state of the service in it. */
export const HistoryPoint = Type.Object({
  at: Type.Integer({ minimum: 0, description: 'Start of the interval' }),
  searches: Type.Integer({ minimum: 0, description: 'All searches, also those with an error' }),
  cached: Type.Integer({ minimum: 0, description: 'Searches whose response came from the cache' }),
  degraded: Type.Integer({ minimum: 0, description: 'Searches by words, because the search by meaning was too slow' }),
  refused: Type.Integer({ minimum: 0, description: 'Searches that got a 4xx' }),
  failed: Type.Integer({ minimum: 0, description: 'Searches that got a 5xx' }),
  p50: Milliseconds,
  p99: Milliseconds,
  gifs: Type.Integer({ minimum: 0, description: 'GIFs that searches find' }),
  openJobs: Count,
});
export type HistoryPoint = Static<typeof HistoryPoint>;

export const History = Type.Object({
  seconds: Type.Integer({ minimum: 1, description: 'Length of an interval: 300 for a day, 3600 for a month' }),
  from: Time,
  to: Type.Integer({ minimum: 0, description: 'Start of the last interval, which has not ended' }),
  points: Type.Array(HistoryPoint, {
    description: 'The oldest first, without intervals in which the service did not run',
  }),
});
export type History = Static<typeof History>;

const Build = Type.Object({
  build: Type.String({ description: 'Its name' }),
  earlier: Type.Array(Text, { description: 'The segments before its latest one; builds can share segments' }),
  revision: Count,
  behind: Type.Integer({ description: 'Number of changes of the catalogue that it does not show' }),
  gifs: Count,
  bytes: Bytes,
  writtenAt: Type.Integer({ minimum: 0, description: 'When it was written to this disk' }),
  isCurrent: Type.Boolean(),
  servedBy: Type.Array(Text, { description: 'Machines that serve it; empty if the catalogue is in the data folder' }),
});

export const BuildList = Type.Object({
  builds: Type.Array(Build, { description: 'The builds on the disk of this machine, the latest first' }),
  others: Type.Array(Type.Object({ machine: Text, build: Text }), {
    description: 'Machines that serve a build that is not on this disk',
  }),
  isInCluster: Type.Boolean({ description: 'Whether searches use a search cluster, so that there are no builds' }),
  held: Held,
});
export type BuildList = Static<typeof BuildList>;

export const BuildName = Type.Object(
  { build: Type.String({ pattern: '^b[0-9a-f]{12}$' }) },
  { additionalProperties: false },
);
export type BuildName = Static<typeof BuildName>;

export const BackupList = Type.Object({
  backups: Type.Array(
    Type.Object({
      at: Type.Integer({ minimum: 0, description: 'When it ended' }),
      machine: Type.String({ description: 'Where it was made, if machines share the catalogue; otherwise empty' }),
      folder: Text,
      gifs: Count,
      bytes: Bytes,
      milliseconds: Count,
      made: Type.Boolean({ description: 'Whether it is complete, apart from damaged files' }),
      problem: Type.String({ description: 'What is wrong; empty if all is well' }),
    }),
    { description: 'The latest 100 attempts, latest first, with those of `zoetrope backup`' },
  ),
  folder: Type.String({ description: 'ZOETROPE_BACKUPS; empty if backups are made only with the command' }),
  running: Running,
});
export type BackupList = Static<typeof BackupList>;
