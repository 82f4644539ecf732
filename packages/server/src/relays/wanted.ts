import type { Config } from '../config.ts';
import { addedRelays } from '../platform/relay/index.ts';
import type { Service } from '../service/index.ts';
import { relayAddresses } from './addresses.ts';

/** The relays to read: those in the settings and those added by command. */
export async function wantedRelays({ config, store }: Service): Promise<string[]> {
  return [...new Set([...configuredRelays(config), ...(await addedRelays(store.db))])];
}

export function configuredRelays({ relays }: Config): string[] {
  return relayAddresses(relays.urls);
}
