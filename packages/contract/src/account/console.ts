import Type, { type Static } from 'typebox';
import { Time } from './values.ts';

/** The state of the whole service, for operators. */

const Count = Type.Integer({ minimum: 0 });
const Bytes = Type.Integer({ minimum: 0, description: 'In bytes' });
const Text = Type.String();
const OrNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** What waits for an operator. */
export const Waiting = Type.Object({
  gifs: Type.Integer({ minimum: 0, description: 'GIFs that are reported, uncertain or withheld' }),
  clients: Type.Integer({ minimum: 0, description: 'Requests of clients' }),
});
export type Waiting = Static<typeof Waiting>;

export const Overview = Type.Object({
  gifs: Type.Object({ found: Count, catalogue: Count, toReview: Count }),
  build: OrNull(Text),
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
});
export type Overview = Static<typeof Overview>;

/** The findings of `zoetrope doctor`, and the space on the disk. */
export const HealthReport = Type.Object({
  checkedAt: Time,
  findings: Type.Array(
    Type.Object({
      check: Text,
      state: Type.Union([Type.Literal('well'), Type.Literal('note'), Type.Literal('wrong')]),
      message: Type.String({ description: 'What was found, with the command or setting that cures it' }),
      items: Type.Array(Text),
    }),
  ),
  disk: Type.Object({ media: Bytes, builds: Bytes, starter: Bytes, models: Bytes, others: Bytes }),
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
