import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createClient } from '../../packages/server/src/clients/index.ts';
import { createKey } from '../../packages/server/src/identifiers/index.ts';
import { type Database, openDatabase } from '../../packages/server/src/platform/db/index.ts';
import type { OwnService } from './service.ts';

/** The registry of a running service, opened from another process, like the operator's commands do. */
export class Registry {
  readonly by = { actor: 'a test', now: 1 };
  readonly #service: OwnService;
  #db: Database | undefined;

  constructor(service: OwnService) {
    this.#service = service;
  }

  get db(): Database {
    return this.#db!;
  }

  open(): void {
    this.#db = openDatabase(`${this.#service.data}/zoetrope.db`);
  }

  async close(): Promise<void> {
    await this.#db?.destroy();
  }

  /** Registers an approved client with a key. @returns their ids and the key */
  async client(name: string, ...origins: string[]): Promise<{ id: string; key: string; keyId: string }> {
    const { id } = await createClient(this.db, this.by, { name, state: 'approved', pubkeys: [], origins });
    const { key, id: keyId } = await createKey(this.db, this.by, { clientId: id, name: 'a key' });
    return { id, key, keyId };
  }

  /** Waits until the service has noticed a change. Uses preflights, because they need admission, but no budget. */
  async until(expected: 'admitted' | 'refused', headers: Record<string, string>): Promise<void> {
    const ask = async () => {
      const { status } = await fetch(`${this.#service.url}/api/v1/search`, { method: 'OPTIONS', headers });
      expect(status).toBe(expected === 'admitted' ? 204 : 403);
    };
    await vi.waitFor(ask, { timeout: 480_000, interval: 25 });
  }

  /** Runs something while the registry is unavailable. */
  async whileDown(act: () => Promise<void>): Promise<void> {
    await this.db.schema.alterTable('clients').renameTo('clients_gone').execute();
    try {
      await act();
    } finally {
      await this.db.schema.alterTable('clients_gone').renameTo('clients').execute();
    }
  }
}

/** Opens the service's registry for all tests in a file. */
export function useRegistry(service: OwnService): Registry {
  const registry = new Registry(service);
  beforeAll(() => registry.open());
  afterAll(() => registry.close());
  return registry;
}

/** Returns the headers of a caller with a key. */
export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}
