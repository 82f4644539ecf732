import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { keepDoing, type Stoppable } from '../../base/repeat.ts';
import { type DueProof, noteAnswer, takeDueProof } from '../../clients/index.ts';
import { isOwner } from '../../identifiers/index.ts';
import { notifyOfExpiry, notifyOwners } from '../../notices/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { AccountContext } from '../context.ts';
import { ProofError } from './nip05.ts';
import { DOMAIN_ITSELF, domainOf } from './prove.ts';

/** Pause between two searches for domains that are due for a check. Each domain is checked once a day. */
const PASS_MS = 3_600_000;

export interface ProofCheck extends Pick<AccountContext, 'registry' | 'askDomain'> {
  clock: Clock;
  log: Log;
}

/**
 * Checks domains that have verified an origin, if their last check was more than a day ago. Owners see the result.
 * Operators are notified of domains that fail repeatedly. The origins themselves continue to work.
 */
export async function checkProofs({ registry, askDomain, clock, log }: ProofCheck, signal: AbortSignal): Promise<void> {
  const db = await registry();
  while (!signal.aborted) {
    const due = await takeDueProof(db, clock.now());
    if (due === undefined) return;
    const reason = await whyNotProven(db, askDomain, due);
    const isNews = await noteAnswer(db, due.originId, reason, clock.now());
    const { origin, clientId } = due;
    if (!isNews) continue;
    log.warn({ origin, client: clientId, reason }, 'the domain of an origin no longer proves ownership');
    const text = (name: string) =>
      `${domainOf(origin)} no longer verifies the origin ${origin} of ${name}: ${reason}. The origin still works, and an operator reviews it.`;
    await notifyOwners(db, { clientId, text, now: clock.now() });
  }
}

/** Repeats the checks while the service runs, and notifies owners of keys that expire soon. */
export function keepCheckingProofs(check: ProofCheck): Stoppable {
  const pass = async (signal: AbortSignal) => {
    await notifyOfExpiry(await check.registry(), check.clock.now());
    await checkProofs(check, signal);
  };
  return keepDoing(PASS_MS, pass, (error) => {
    check.log.warn({ err: error }, 'could not check the domains of origins; retrying in an hour');
  });
}

/**
 * Returns the reason why the domain does not verify the origin, or an empty string if it names any owner of the client.
 */
async function whyNotProven(
  db: Database,
  askDomain: ProofCheck['askDomain'],
  { origin, clientId }: DueProof,
): Promise<string> {
  const domain = domainOf(origin);
  try {
    const named = await askDomain(domain, DOMAIN_ITSELF);
    return (await isOwner(db, clientId, named))
      ? ''
      : `${domain} names a public key under ${DOMAIN_ITSELF} that does not belong to an owner`;
  } catch (error) {
    if (error instanceof ProofError) return error.message;
    throw error;
  }
}
