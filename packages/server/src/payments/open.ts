import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../platform/db/index.ts';
import type { PaymentsConfig } from './config.ts';
import { Payments } from './payments.ts';
import type { LightningProvider } from './provider.ts';
import { openDemo, type Reached } from './providers/demo.ts';
import { openLnbits } from './providers/lnbits.ts';
import { openPhoenixd } from './providers/phoenixd.ts';

export interface OpenPaymentsOptions {
  config: PaymentsConfig;
  /** The registry's database. */
  db: Database;
  clock: Clock;
  log: Log;
  /** Where the service can be reached. A service with the demo wallet must not be reachable from other machines. */
  reached: Reached;
}

/**
 * Opens the configured wallet and starts watching all open orders. Rejects with OperatorError if a setting or the
 * wallet is wrong. An unreachable wallet is tried again whenever it is needed.
 */
export async function openPayments({ reached, ...parts }: OpenPaymentsOptions): Promise<Payments> {
  const provider = await openProvider(parts.config, parts.clock, reached);
  // An invoice of the demo wallet cannot be paid in any network.
  const config = parts.config.provider === 'demo' ? { ...parts.config, network: 'regtest' as const } : parts.config;
  const payments = new Payments({ ...parts, config, provider });
  try {
    await payments.check();
  } catch (error) {
    await payments.close();
    throw error;
  }
  return payments;
}

async function openProvider(
  config: PaymentsConfig,
  clock: Clock,
  reached: Reached,
): Promise<LightningProvider | undefined> {
  switch (config.provider) {
    case 'none':
      return undefined;
    case 'nwc': {
      // The library is loaded on demand, because it is large and most services have no fee.
      const { openNwc } = await import('./providers/nwc.ts');
      return openNwc({ url: config.nwcUrl, allowSpending: config.allowSpending });
    }
    case 'phoenixd':
      return openPhoenixd({ url: config.phoenixdUrl, password: config.phoenixdPassword });
    case 'lnbits':
      return openLnbits({ url: config.lnbitsUrl, key: config.lnbitsKey });
    case 'demo':
      return openDemo(clock, reached);
  }
}
