import { OperatorError } from '../../base/errors.ts';
import type { AccountConfig } from '../config.ts';
import { readPubkey } from './npub.ts';

/** Those who review, by their public keys in hexadecimal. @throws OperatorError naming the one that is none */
export async function readAdmins({ admins }: AccountConfig): Promise<string[]> {
  const names = admins.split(',').map((name) => name.trim());
  return Promise.all(
    names
      .filter((name) => name !== '')
      .map(async (name) => {
        const pubkey = await readPubkey(name);
        if (pubkey !== null) return pubkey;
        throw new OperatorError(
          `ZOETROPE_ADMINS: ${name} is no Nostr public key; its checksum is wrong, so look for a slip`,
        );
      }),
  );
}
