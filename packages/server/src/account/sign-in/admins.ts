import { OperatorError } from '../../base/errors.ts';
import type { AccountConfig } from '../config.ts';
import { readPubkey } from './npub.ts';

/** Returns the hexadecimal public keys of the operators. @throws OperatorError that names the first invalid key */
export async function readAdmins({ admins }: AccountConfig): Promise<string[]> {
  const names = admins.split(',').map((name) => name.trim());
  return Promise.all(
    names
      .filter((name) => name !== '')
      .map(async (name) => {
        const pubkey = await readPubkey(name);
        if (pubkey !== null) return pubkey;
        throw new OperatorError(
          `ZOETROPE_ADMINS: ${name} is not a Nostr public key: its checksum is wrong. Check it for typing errors`,
        );
      }),
  );
}
