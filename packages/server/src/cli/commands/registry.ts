import { type Command, InvalidArgumentError } from 'commander';
import { addOperator, listOperators, readPubkey, removeOperator, toNpub } from '../../account/index.ts';
import { systemClock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import {
  approveRequest,
  type ClientRecord,
  createClient,
  decideClient,
  deleteClient,
  findClient,
  listClients,
  listRequests,
  rejectRequest,
  suspendClient,
} from '../../clients/index.ts';
import {
  addOrigin,
  addOwner,
  addUserAgent,
  createKey,
  removeOrigin,
  removeOwner,
  removeUserAgent,
  revokeKey,
  rotateKey,
} from '../../identifiers/index.ts';
import { type By, KEY_DAYS, listAudit, type ReviewedKind } from '../../registry/index.ts';
import { type Service, withReserve } from '../../service/index.ts';
import { print, toJson } from '../print.ts';
import { withService } from '../with-service.ts';
import { onCommandLine } from './on-command-line.ts';

type Database = Service['registry']['db'];

interface Options {
  json?: boolean;
  /** The reason for the operator's decision. */
  reason?: string;
}

interface AddOptions extends Options {
  origin?: string[];
  pubkey?: string[];
}

const CLIENT = 'id of the client, from zoetrope client list';
const REQUEST = 'id of the request, from zoetrope client show';

/** Adds the commands for registered clients. A running service applies changes immediately. */
export function addRegistryCommands(program: Command): void {
  addClientCommands(program);
  addKeyCommands(program);
  addOperatorCommands(program);
  for (const held of REVIEWED_VALUES) addReviewCommands(program, held);
}

function addClientCommands(program: Command): void {
  const client = program
    .command('client')
    .description('register, approve and suspend apps and websites, which are called clients');
  json(client.command('add <name>'))
    .description('register and approve a client')
    .option('--origin <origin...>', 'origins of its pages: https://host, or https://*.domain for all subdomains')
    .option('--pubkey <pubkey...>', 'Nostr public keys of its owners, in hexadecimal')
    .action((name: string, { origin: origins = [], pubkey: pubkeys = [], ...options }: AddOptions) =>
      change(options, async (db, by) => {
        const added = await createClient(db, by, { name, state: 'approved', pubkeys, origins });
        return { value: added, text: `${added.name} is client ${added.id}.` };
      }),
    );
  json(client.command('list'))
    .description('list all clients, and what awaits approval')
    .action((options: Options) =>
      change(options, async (db) => {
        const requests = Map.groupBy(await listRequests(db), ({ clientId }) => clientId);
        const value = (await listClients(db)).map((row) => ({ ...row, requests: requests.get(row.id) ?? [] }));
        return { value, text: value.flatMap(nameClient).join('\n') || 'There are no clients yet.' };
      }),
    );
  json(client.command('show'))
    .description('show a client: owners, origins, keys, what waits for approval, and its history')
    .argument('<client>', CLIENT)
    .action((id: string, options: Options) =>
      change(options, async (db) => {
        const value = { ...(await findClient(db, id)), audit: await listAudit(db, id) };
        return { value, text: describe(value) };
      }),
    );
  const decisions: Record<'approve' | 'reject', string> = {
    approve: 'approve a new or suspended client',
    reject: 'refuse a client that asks for registration',
  };
  json(client.command('suspend'))
    .description('refuse the requests of a client until it is approved again')
    .argument('<client>', CLIENT)
    .option('--reason <text>', 'why, for its owners and the audit log')
    .action((id: string, { reason = '', ...options }: Options) =>
      done(options, id, (db, by) => suspendClient(db, by, id, reason)),
    );
  for (const [decision, description] of Object.entries(decisions) as ['approve' | 'reject', string][]) {
    asDecision(client.command(decision))
      .description(description)
      .argument('<client>', CLIENT)
      .action((id: string, options: Options) => done(options, id, (db, by) => decideClient(db, by, id, decision)));
  }
  asDecision(client.command('delete'))
    .description('delete a client with its keys, origins and owners')
    .argument('<client>', CLIENT)
    .action((id: string, options: Options) => done(options, id, (db, by) => deleteClient(db, by, id)));
}

function addKeyCommands(program: Command): void {
  const key = program.command('key').description('create and revoke API keys, for clients that are not web pages');
  json(key.command('create'))
    .description('create a key; it is printed only once')
    .argument('<client>', CLIENT)
    .option('--name <name>', 'what the key is for', 'API key')
    .option('--days <days>', LIFETIME, lifetime)
    .action((clientId: string, { name, days, ...options }: KeyOptions & { name: string }) =>
      change(options, async (db, by) => tellKey(await createKey(db, by, { clientId, name, days: days ?? null }))),
    );
  json(key.command('rotate'))
    .description('create a key that replaces an old key, which still works for some days')
    .argument('<id>', 'id of the old key, from zoetrope client show; not the key itself')
    .option('--overlap <days>', 'number of days for which the old key still works', overlap, KEY_DAYS.overlap)
    .option('--days <days>', LIFETIME, lifetime)
    .action((id: string, { overlap: overlapDays, days, ...options }: KeyOptions & { overlap: number }) =>
      change(options, async (db, by) => tellKey(await rotateKey(db, by, { id, days: days ?? null, overlapDays }))),
    );
  asDecision(key.command('revoke'))
    .description('revoke a key for good, immediately')
    .argument('<id>', 'id of the key, from zoetrope client show; not the key itself')
    .action((id: string, options: Options) => done(options, id, (db, by) => revokeKey(db, by, id)));
}

const OPERATOR = 'npub or hexadecimal public key';

function addOperatorCommands(program: Command): void {
  const operator = program
    .command('operator')
    .description('add and remove people who use the console of the dashboard, in addition to ZOETROPE_ADMINS');
  json(operator.command('list'))
    .description('list the operators that the registry stores, without those in ZOETROPE_ADMINS')
    .action((options: Options) =>
      change(options, async (db) => {
        const stored = await listOperators(db);
        const value = await Promise.all(stored.map(async (row) => ({ npub: await toNpub(row.pubkey), ...row })));
        const lines = value.map(({ npub, createdAt }) => `${npub}  since ${day(createdAt)}`);
        return { value, text: lines.join('\n') || 'The registry has no operators. ZOETROPE_ADMINS can name some.' };
      }),
    );
  const acts = { add: addOperator, remove: removeOperator };
  const descriptions = {
    add: 'make a person an operator; a running service applies it immediately',
    remove: 'remove the rights of an operator; a running service applies it immediately',
  };
  for (const name of ['add', 'remove'] as const) {
    asDecision(operator.command(name))
      .description(descriptions[name])
      .argument('<npub>', OPERATOR)
      .action((npub: string, options: Options) =>
        done(options, npub, async (db, by) => acts[name](db, by, await readOperator(npub))),
      );
  }
}

async function readOperator(text: string): Promise<string> {
  const pubkey = await readPubkey(text);
  if (pubkey !== null) return pubkey;
  throw new OperatorError(
    `${text} is not a Nostr public key (npub1... or 64 hexadecimal digits). Check it for typing errors`,
  );
}

interface KeyOptions extends Options {
  /** Lifetime of the new key. Undefined if it does not expire. */
  days?: number;
}

const LIFETIME = 'number of days after which the new key expires; without it, the key does not expire';

const lifetime = (text: string) => wholeDays(text, 1, KEY_DAYS.max);
const overlap = (text: string) => wholeDays(text, 0, KEY_DAYS.overlapMax);

function wholeDays(text: string, min: number, max: number): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : -1;
  if (days < min || days > max) throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
  return days;
}

function tellKey(value: Awaited<ReturnType<typeof createKey>>): Outcome {
  const { key, id, expiresAt } = value;
  const until = expiresAt === null ? '' : ` It expires on ${day(expiresAt)}.`;
  return {
    value,
    text: `${key}\nThis key is not stored and will not be shown again: save it now. Its id is ${id}.${until}`,
  };
}

interface ReviewedValue {
  kind: ReviewedKind;
  description: string;
  value: string;
  /** The form of the value. */
  form: string;
  add(db: Database, by: By, clientId: string, value: string): Promise<{ id: string }>;
  remove(db: Database, by: By, id: string): Promise<void>;
}

const REVIEWED_VALUES: ReviewedValue[] = [
  {
    kind: 'owner',
    description: 'add, approve and remove owners, who can change a client',
    value: 'pubkey',
    form: 'a Nostr public key, in hexadecimal',
    add: (db, by, clientId, pubkey) => addOwner(db, by, { clientId, pubkey }),
    remove: removeOwner,
  },
  {
    kind: 'origin',
    description: "add, approve and remove the origins of a client's web pages",
    value: 'origin',
    form: 'https://host, or https://*.domain for all subdomains',
    add: (db, by, clientId, origin) => addOrigin(db, by, { clientId, origin }),
    remove: removeOrigin,
  },
  {
    kind: 'user-agent',
    description: 'add, approve and remove User-Agents of apps that have no key',
    value: 'pattern',
    form: 'the User-Agent; * matches any characters',
    add: (db, by, clientId, pattern) => addUserAgent(db, by, { clientId, pattern }),
    remove: removeUserAgent,
  },
];

function addReviewCommands(program: Command, { kind, description, value, form, add, remove }: ReviewedValue): void {
  const one = kind === 'user-agent' ? 'a User-Agent' : `an ${kind}`;
  const held = program.command(kind).description(description);
  json(held.command('add'))
    .description(`add ${one} to a client; nobody has to approve it`)
    .argument('<client>', CLIENT)
    .argument(`<${value}>`, form)
    .action((clientId: string, given: string, options: Options) =>
      change(options, async (db, by) => {
        const added = await add(db, by, clientId, given);
        return { value: added, text: `Added. Its id is ${added.id}.` };
      }),
    );
  asDecision(held.command('approve'))
    .description(`approve ${one} that a client asked for`)
    .argument('<request>', REQUEST)
    .action((id: string, options: Options) => done(options, id, (db, by) => approveRequest(db, by, kind, id)));
  json(held.command('reject'))
    .description(`reject ${one} that a client asked for`)
    .argument('<request>', REQUEST)
    .option('--reason <text>', 'why, for its owners and the audit log')
    .action((id: string, { reason = '', ...options }: Options) =>
      done(options, id, (db, by) => rejectRequest(db, by, kind, { id, reason })),
    );
  asDecision(held.command('remove'))
    .description(`remove ${one} from its client`)
    .argument('<id>', `id of the ${kind}, from zoetrope client show`)
    .action((id: string, options: Options) => done(options, id, (db, by) => remove(db, by, id)));
}

function json(command: Command): Command {
  return command.option('--json', 'print the result as JSON');
}

function asDecision(command: Command): Command {
  return json(command).option('--reason <text>', 'why, for the audit log');
}

interface Outcome {
  value: unknown;
  text: string;
}

function change(
  { json: asJson, reason = '' }: Options,
  act: (db: Database, by: By) => Promise<Outcome>,
): Promise<void> {
  return withService(async ({ registry }) => {
    await registry.ready();
    const by = onCommandLine(reason);
    const { value, text } = await withReserve('operator', () => act(registry.db, by));
    print(asJson ? toJson(value) : text);
  });
}

function done(options: Options, id: string, act: (db: Database, by: By) => Promise<void>): Promise<void> {
  return change(options, async (db, by) => {
    await act(db, by);
    return { value: { id }, text: 'Done.' };
  });
}

function nameClient({ id, state, name, requests }: Pick<ClientRecord, 'id' | 'state' | 'name' | 'requests'>): string[] {
  return [`${id}  ${state}  ${name}`, ...requests.map(describeRequest)];
}

function describeRequest({ id, kind, value }: ClientRecord['requests'][number]): string {
  return `  request     ${id}  ${kind} ${value}`;
}

function describe(client: ClientRecord & { audit: Awaited<ReturnType<typeof listAudit>> }): string {
  const { owners, origins, keys, userAgents, requests, audit } = client;
  return [
    `${client.name}, client ${client.id}, ${client.state}, since ${day(client.createdAt)}`,
    ...owners.map(({ id, pubkey }) => `  owner       ${id}  ${pubkey}`),
    ...origins.map(({ id, origin }) => `  origin      ${id}  ${origin}`),
    ...keys.map(
      ({ id, name, createdAt, expiresAt }) =>
        `  key         ${id}  ${name}, since ${day(createdAt)}${expiry(expiresAt)}`,
    ),
    ...userAgents.map(({ id, pattern }) => `  user-agent  ${id}  ${pattern}`),
    ...requests.map(describeRequest),
    ...audit.map(({ at, actor, action, subject }) => `  ${new Date(at).toISOString()}  ${actor}: ${action} ${subject}`),
  ].join('\n');
}

function expiry(expiresAt: number | null): string {
  if (expiresAt === null) return '';
  return `, ${expiresAt <= systemClock.now() ? 'expired' : 'expires'} on ${day(expiresAt)}`;
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
