import Type, { type Static } from 'typebox';
import { Line, Time } from './values.ts';

/** Adding GIFs. A batch of files and addresses is uploaded first, and then becomes one import. */

/** The name of a batch, which the browser chooses. */
export const BATCH_PATTERN = '^[0-9a-f]{32}$';
const Batch = Type.String({ pattern: BATCH_PATTERN });

export const NewAddress = Type.Object({ url: Line(2_000, 'URL of a GIF or WebP') }, { additionalProperties: false });

export const UploadedFile = Type.Object({
  name: Type.String({ description: 'Name of the stored file. The title is made from it' }),
  bytes: Type.Integer({ minimum: 1 }),
});
export type UploadedFile = Static<typeof UploadedFile>;

export const NewImport = Type.Union([
  Type.Object({ batch: Batch }, { additionalProperties: false }),
  Type.Object(
    { path: Line(4_000, 'Absolute path of a folder, manifest or file on the disk of the server') },
    { additionalProperties: false },
  ),
]);
export type NewImport = Static<typeof NewImport>;

const Count = Type.Integer({ minimum: 0 });

/** One request to add sources. */
export const ImportRun = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  sources: Type.Array(Type.String(), { description: 'The arguments of `zoetrope add` for the same sources' }),
  machine: Type.String({ description: 'Where it was requested, if machines share the catalogue; otherwise empty' }),
  startedAt: Time,
  endedAt: Type.Union([Time, Type.Null()]),
  added: Count,
  known: Type.Integer({ minimum: 0, description: 'Files whose GIF was already in the catalogue' }),
  linked: Count,
  refused: Count,
  open: Type.Integer({ minimum: 0, description: 'Sources and files that are still to be processed' }),
  paused: Type.Boolean(),
  retryable: Type.Boolean({ description: 'Whether the same sources can be added again from here' }),
});
export type ImportRun = Static<typeof ImportRun>;

export const ImportList = Type.Object({
  imports: Type.Array(ImportRun, { description: 'Latest first, 50 per page' }),
  queue: Type.Object({
    open: Type.Integer({ minimum: 0, description: 'Jobs that are not finished, including previews' }),
    oldestSeconds: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  }),
});
export type ImportList = Static<typeof ImportList>;

export const ImportDetails = Type.Object({
  ...ImportRun.properties,
  refusals: Type.Array(Type.Object({ key: Type.String(), reason: Type.String(), message: Type.String() })),
});
export type ImportDetails = Static<typeof ImportDetails>;
