import Type, { type Static } from 'typebox';
import { GifFormat } from '../gif.ts';
import { Time } from './values.ts';

/** Uploads by members, the people whom the operator allows to upload GIFs. */

/**
 * processing: the service has not read the file yet. waiting: an operator must review it. accepted: everybody can find
 * it. refused: the file is not usable, or an operator has refused it.
 */
export const UploadState = Type.Union([
  Type.Literal('processing'),
  Type.Literal('waiting'),
  Type.Literal('accepted'),
  Type.Literal('refused'),
]);
export type UploadState = Static<typeof UploadState>;

export const MemberUpload = Type.Object({
  sha256: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  format: GifFormat,
  at: Time,
  state: UploadState,
  reason: Type.String({ description: 'Why it was refused; otherwise empty' }),
});
export type MemberUpload = Static<typeof MemberUpload>;

/** What was uploaded, or can be. */
const Amount = Type.Object({ files: Type.Integer({ minimum: 0 }), bytes: Type.Integer({ minimum: 0 }) });

export const MemberUploads = Type.Object({
  uploads: Type.Array(MemberUpload, { description: 'Latest first, at most 100' }),
  used: Type.Object(Amount.properties, { description: 'What was uploaded within the last 24 hours' }),
  quota: Type.Object(Amount.properties, { description: 'What can be uploaded within 24 hours' }),
  maxFileBytes: Type.Integer({ minimum: 1 }),
});
export type MemberUploads = Static<typeof MemberUploads>;
