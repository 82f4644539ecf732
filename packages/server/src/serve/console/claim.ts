import {
  addFirstOperator,
  type Console,
  hasOperatorAlready,
  hasOperators,
  newOperatorCode,
  noCode,
  OperatorCode,
} from '../../account/index.ts';
import { systemClock } from '../../base/clock.ts';
import { isLoopback } from '../../base/web-address.ts';
import type { Service } from '../../service/index.ts';
import type { ServiceSettings } from '../ports.ts';

/** How the first operator is appointed without a shell. */
export interface Claim extends Pick<Console, 'canBeClaimed' | 'claim'> {
  /** Six digits for the terminal. Null if the service has an operator, or if other machines can reach it. */
  code: string | null;
}

/**
 * Makes a code for the first operator of a service that only this machine can reach. Runs on the main thread, so that
 * all threads count the same wrong codes.
 */
export async function openClaim(service: Service, addresses: ServiceSettings): Promise<Claim> {
  const { config, registry } = service;
  const hasAdmins = config.account.admins !== '';
  const code = !hasAdmins && isForThisMachine(addresses) && (await isUnclaimed(service)) ? newOperatorCode() : null;
  const offered = code === null ? undefined : new OperatorCode(code, systemClock);
  return {
    code,
    canBeClaimed: async () => offered?.isValid() ?? false,
    async claim(given, pubkey) {
      await registry.ready();
      if (hasAdmins || (await hasOperators(registry.db))) throw hasOperatorAlready();
      if (offered === undefined) throw noCode();
      offered.check(given);
      await addFirstOperator(registry.db, pubkey, systemClock.now());
      offered.end();
    },
  };
}

function isForThisMachine({ host, publicUrl }: ServiceSettings): boolean {
  return isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
}

/** While the registry cannot be read, nobody can become its operator. */
async function isUnclaimed({ registry, log }: Service): Promise<boolean> {
  try {
    await registry.ready();
    return !(await hasOperators(registry.db));
  } catch (error) {
    log.warn({ err: error }, 'could not read whether the service has an operator');
    return false;
  }
}
