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

/** An amount of files, either uploaded or allowed. */
const Amount = Type.Object({ files: Type.Integer({ minimum: 0 }), bytes: Type.Integer({ minimum: 0 }) });

/** What a member has uploaded, for operators. */
const Member = Type.Object({
  npub: Type.String(),
  files: Type.Integer({
    minimum: 0,
    description: 'Files within the last 24 hours, including refused and deleted ones',
  }),
  bytes: Type.Integer({ minimum: 0, description: 'Bytes of these files' }),
  uploads: Type.Integer({ minimum: 0, description: 'All files that were uploaded and not deleted' }),
});

export const MemberList = Type.Object({
  members: Type.Array(Member, { description: 'Those in ZOETROPE_MEMBERS, in its order' }),
  quota: Type.Object(Amount.properties, { description: 'What each member can upload within 24 hours' }),
});
export type MemberList = Static<typeof MemberList>;

export const MemberUploads = Type.Object({
  uploads: Type.Array(MemberUpload, { description: 'Latest first, at most 100' }),
  used: Type.Object(Amount.properties, { description: 'What was uploaded within the last 24 hours' }),
  quota: Type.Object(Amount.properties, { description: 'What can be uploaded within 24 hours' }),
  maxFileBytes: Type.Integer({ minimum: 1 }),
});
export type MemberUploads = Static<typeof MemberUploads>;
