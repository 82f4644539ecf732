import type { Config } from '../config.ts';
import { addedRelays } from '../platform/relay/index.ts';
import type { Service } from '../service/index.ts';
import { relayAddresses } from './addresses.ts';

/** Returns the relays to read. These are the relays in the settings and the relays that were added by command. */
export async function wantedRelays({ config, store }: Service): Promise<string[]> {
  return [...new Set([...configuredRelays(config), ...(await addedRelays(store.db))])];
}

export function configuredRelays({ relays }: Config): string[] {
  return relayAddresses(relays.urls);
}
