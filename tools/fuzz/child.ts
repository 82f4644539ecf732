import { within } from '../../packages/server/src/base/clock.ts';
import { endWithService } from '../../packages/server/src/platform/process/index.ts';
import { seeded } from '../../packages/starter/src/random.ts';
import { Memory } from './memory.ts';
import type { Finding, Order, Report, Turn, TurnResult } from './protocol.ts';
import { type Checker, Late, type Setup, type Target } from './target.ts';

// Entry point of a process that checks inputs. An input can block or end this process, so `Lane` watches it.

endWithService();

/** Time between two messages that report that the event loop is not blocked. */
const ALIVE_MS = 250;
/** Number of lines of an error that are reported. */
const LINES = 8;

interface Opened {
  readonly target: Target;
  readonly setup: Setup;
  readonly checker: Checker;
}

type CheckOrder = Extract<Order, { type: 'check' }>;

/** The result for an input, in words. Empty if there was no result in time. */
type Outcome = string;

const opened = new Map<string, Opened>();
/** Targets that already had a turn. */
const known = new Set<string>();
const memory = new Memory();
let toldAlive = 0;

process.on('message', (order: Order) => {
  void obey(order)
    .catch((error: unknown): Report => ({ type: 'failed', message: describe(error) }))
    .then(send);
});
setInterval(tellAlive, ALIVE_MS);
send({ type: 'ready' });

function send(report: Report): void {
  process.send?.(report);
}

function tellAlive(): void {
  toldAlive = performance.now();
  send({ type: 'alive' });
}

async function obey(order: Order): Promise<Report> {
  if (order.type === 'check') return { type: 'checked', result: await checkTurn(order) };
  if (order.type === 'show') return { type: 'shown', input: show(draw(order.turn, order.turn.from), order.shown) };
  const { TARGETS } = (await import(order.targets)) as { TARGETS: Readonly<Record<string, Target>> };
  const target = TARGETS[order.target]!;
  const checker = await target.open(order.setup);
  opened.set(order.target, { target, setup: order.setup, checker });
  return { type: 'ready' };
}

async function checkTurn(order: CheckOrder): Promise<TurnResult> {
  const { turn } = order;
  const { target, checker } = opened.get(turn.target)!;
  const outcomes: Record<string, number> = {};
  const findings: Finding[] = [];
  const late: number[] = [];
  const note = (number: number, found: Outcome | Finding): void => {
    if (typeof found !== 'string') findings.push(found);
    else if (found === '') late.push(number);
    else outcomes[found] = (outcomes[found] ?? 0) + 1;
  };
  let next = turn.from;
  const checkNext = async (): Promise<void> => {
    for (let number = next++; number < turn.from + turn.count; number = next++) {
      const found = checkOne(order, number);
      // `await` would take longer than most checks.
      note(number, found instanceof Promise ? await found : found);
      if (performance.now() - toldAlive > ALIVE_MS) tellAlive();
    }
  };
  await Promise.all(Array.from({ length: target.together }, checkNext));
  // Other inputs, or other programs on this machine, can cause a delay, so each late input is checked again alone.
  for (const number of late.splice(0)) {
    const found = await checkOne(order, number);
    note(number, found === '' ? findingOf(order, number, new Late('there was no result in time')) : found);
  }
  await checker.refresh?.();
  const grown = known.has(turn.target) ? await memory.complaint() : await memory.setControl();
  known.add(turn.target);
  // All inputs up to now may have contributed, including those of other targets.
  if (grown) findings.push({ target: turn.target, from: 0, count: turn.from + turn.count, what: grown, input: '' });
  return { outcomes, findings };
}

function checkOne(order: CheckOrder, number: number): Outcome | Finding | Promise<Outcome | Finding> {
  const { target, checker } = opened.get(order.turn.target)!;
  const fail = (error: unknown) => (error instanceof Late ? '' : findingOf(order, number, error));
  const input = draw(order.turn, number);
  try {
    const checked = checker.check(input, number);
    if (typeof checked === 'string') return checked;
    return within<Outcome | Finding>(target.limitMs ?? order.limitMs, checked, () => new Late()).catch(fail);
  } catch (error) {
    return fail(error);
  }
}

function draw({ target }: Turn, number: number): unknown {
  const { setup, checker } = opened.get(target)!;
  return checker.draw(seeded(`${setup.seed} ${target} ${number}`), number);
}

function findingOf({ turn, shown }: CheckOrder, number: number, error: unknown): Finding {
  return { ...turn, from: number, count: 1, what: describe(error), input: show(draw(turn, number), shown) };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = (error.stack ?? error.message).split('\n').slice(0, LINES).join('\n');
  return error.cause === undefined ? stack : `${stack}\ncaused by ${describe(error.cause)}`;
}

/** Returns an input as JSON, with bytes in base64. */
function show(input: unknown, most: number): string {
  // A Buffer has its own form in JSON, so the value is taken from the object that contains it.
  const json = JSON.stringify(input, function (this: Record<string, unknown>, name: string, value: unknown) {
    const bytes = this[name];
    return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value;
  });
  return json.length <= most ? json : `${json.slice(0, most)}… (${json.length} characters)`;
}
