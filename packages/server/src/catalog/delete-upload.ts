import { ServiceError } from '../base/errors.ts';
import { withdrawOthers } from '../claims/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { HIDDEN_AS_WITHDRAWN, revision, setInReview, tables } from '../records/index.ts';
import { findUpload, setDeleted } from '../uploads/index.ts';

/** A file that the member who uploaded it wants to delete. */
export interface UnwantedUpload {
  sha256: string;
  /** The member's public key in hexadecimal. */
  pubkey: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/**
 * Withdraws a GIF on behalf of the member who uploaded it, and removes its words. If events from relays also name the
 * file, the GIF stays as these events describe it. The file can be uploaded again, and is then reviewed again.
 * @returns the catalogue's revision from which on the file is hidden
 * @throws ServiceError `not_found` if this member did not upload the file, or `conflict` if others added it, too
 */
export function deleteUpload(db: Database, { sha256, pubkey, now }: UnwantedUpload): Promise<number> {
  return inTransaction(db, async (trx) => {
    const upload = await findUpload(trx, sha256);
    if (upload?.pubkey !== pubkey) throw new ServiceError('not_found', 'You have not uploaded a file with this hash');
    const id = `${sha256}.gif`;
    const gif = await findHidden(trx, id);
    if (upload.shared === 1 && gif !== undefined) {
      throw new ServiceError('conflict', 'Others added this GIF, too; only the operator can remove it');
    }
    await setDeleted(trx, sha256, now);
    if (gif !== undefined) {
      await withdrawOthers(trx, [id]);
      const { hidden } = (await findHidden(trx, id))!;
      await setInReview(trx, id, (hidden & HIDDEN_AS_WITHDRAWN) !== 0);
    }
    return revision(trx);
  });
}

function findHidden(db: Database, id: string): Promise<{ hidden: number } | undefined> {
  return tables(db).selectFrom('gifs').select('hidden').where('id', '=', id).executeTakeFirst();
}
