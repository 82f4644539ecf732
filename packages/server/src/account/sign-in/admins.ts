import { OperatorError } from '../../base/errors.ts';
import type { AccountConfig } from '../config.ts';
import { readPubkey } from './npub.ts';

/** Returns the hexadecimal public keys of the operators. @throws OperatorError that names the first invalid key */
export function readAdmins({ admins }: AccountConfig): Promise<string[]> {
  return readPubkeys('ZOETROPE_ADMINS', admins);
}

/** Returns the hexadecimal public keys of the members. @throws OperatorError that names the first invalid key */
export function readMembers({ members }: AccountConfig): Promise<string[]> {
  return readPubkeys('ZOETROPE_MEMBERS', members);
}

async function readPubkeys(setting: string, list: string): Promise<string[]> {
  const names = list.split(',').map((name) => name.trim());
  return Promise.all(
    names
      .filter((name) => name !== '')
      .map(async (name) => {
        const pubkey = await readPubkey(name);
        if (pubkey !== null) return pubkey;
        throw new OperatorError(
          `${setting}: ${name} is not a Nostr public key: its checksum is wrong. Check it for typing errors`,
        );
      }),
  );
}
