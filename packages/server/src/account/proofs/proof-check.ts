import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { keepDoing, type Stoppable } from '../../base/repeat.ts';
import type { Database } from '../../platform/db/index.ts';
import { type DueProof, isOwner, noteAnswer, takeDueProof } from '../../registry/index.ts';
import type { AccountContext } from '../context.ts';
import { ProofError } from './nip05.ts';
import { DOMAIN_ITSELF, domainOf } from './prove.ts';

/** How often to look for domains that are due; each is checked once a day. */
const PASS_MS = 3_600_000;

export interface ProofCheck extends Pick<AccountContext, 'registry' | 'askDomain'> {
  clock: Clock;
  log: Log;
}

/**
 * Checks every domain again that has verified an origin and was not checked for a day. Owners see the result;
 * operators are notified of domains that keep failing. The origins keep working.
 */
export async function checkProofs({ registry, askDomain, clock, log }: ProofCheck, signal: AbortSignal): Promise<void> {
  const db = await registry();
  while (!signal.aborted) {
    const due = await takeDueProof(db, clock.now());
    if (due === undefined) return;
    const reason = await whyNotProven(db, askDomain, due);
    const isNews = await noteAnswer(db, due.originId, reason, clock.now());
    const { origin, clientId } = due;
    if (isNews) log.warn({ origin, client: clientId, reason }, 'the domain of an origin no longer proves ownership');
  }
}

/** Repeats the checks while the service runs. */
export function keepCheckingProofs(check: ProofCheck): Stoppable {
  const pass = (signal: AbortSignal) => checkProofs(check, signal);
  return keepDoing(PASS_MS, pass, (error) => {
    check.log.warn({ err: error }, 'could not check the domains of origins; retrying in an hour');
  });
}

/** Why the domain does not verify the origin; empty if it names any owner of the client. */
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
