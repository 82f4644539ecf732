import type { HealthReport } from '@zoetrope/contract/account';
import type { Clock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { readCommand } from '../../service/index.ts';

/** Time for which the doctor's findings are reused. The doctor reads the whole database. */
const HEALTH_MS = 300_000;

type Findings = Pick<HealthReport, 'findings' | 'disk'>;

const NOT_YET: Omit<HealthReport, 'checking'> = { checkedAt: null, findings: [], disk: null };

/**
 * Returns a function that reports the last findings and never waits for new ones. If the findings are older than five
 * minutes, it starts `check`. If `check` fails, the next call rejects with the reason, and the call after that starts
 * it again.
 */
export function createHealth(check: () => Promise<Findings>, clock: Clock): () => Promise<HealthReport> {
  let last = NOT_YET;
  let isChecking = false;
  let failure: { reason: unknown } | undefined;
  const run = async () => {
    last = { ...(await check()), checkedAt: clock.now() };
  };
  const start = () => {
    isChecking = true;
    void run()
      .catch((reason: unknown) => {
        failure = { reason };
      })
      .finally(() => {
        isChecking = false;
      });
  };
  return async () => {
    if (failure !== undefined) {
      const { reason } = failure;
      failure = undefined;
      throw reason;
    }
    if (!isChecking && (last.checkedAt === null || clock.now() - last.checkedAt >= HEALTH_MS)) start();
    return { ...last, checking: isChecking };
  };
}

/**
 * Runs the doctor and adds up the sizes of files. Both tasks run in separate processes, because they read the whole
 * database and the times of millions of files. Rejects with ServiceError `upstream_unavailable`.
 */
export async function runChecks(stopping: AbortSignal): Promise<Findings> {
  const doctor = await readCommand(stopping, 'doctor', '--json', '--quiet');
  const status = await readCommand(stopping, 'status', '--json');
  return { findings: parse<Findings>(doctor, 'doctor').findings, disk: parse<Findings>(status, 'status').disk };
}

function parse<Result>({ output }: { output: string }, command: string): Result {
  try {
    return JSON.parse(output) as Result;
  } catch (cause) {
    const message = `The check did not end well; run zoetrope ${command} on the server to see why`;
    throw new ServiceError('upstream_unavailable', message, { cause });
  }
}
