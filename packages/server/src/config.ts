import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EditDistance, unitsOf } from '@zoetrope/search';
import { parse as parseToml } from 'smol-toml';
import { type Static, Type } from 'typebox';
import { AccountConfig } from './account/config.ts';
import { OperatorError } from './base/errors.ts';
import { isForPeople } from './base/terminal.ts';
import { ClusterConfig } from './cluster/config.ts';
import { EmbedConfig } from './embed/config.ts';
import { EnrichConfig } from './enrich/config.ts';
import { HttpConfig } from './http/config.ts';
import { wrongFaces, wrongRelay } from './http/faces/setting.ts';
import { IndexConfig } from './index/config.ts';
import { LimitsConfig } from './limits/config.ts';
import { MediaConfig } from './media/config.ts';
import { PaymentsConfig } from './payments/config.ts';
import { S3Config } from './platform/blobs/config.ts';
import { FetchConfig } from './platform/fetch/config.ts';
import { RegistryConfig } from './registry/config.ts';
import { relayAddresses } from './relays/addresses.ts';
import { RelayConfig } from './relays/config.ts';
import { SharingConfig, wrongPublishing } from './sharing/config.ts';

/** Settings used by several rooms. */
const ServiceConfig = Type.Object({
  data: Type.String({
    env: 'ZOETROPE_DATA',
    default: './data',
    description: 'Folder for all data of the service: catalogue, media and builds',
  }),
  cache: Type.String({
    env: 'ZOETROPE_CACHE',
    default: '',
    description:
      "Folder in which drawn starter GIFs are cached for other data folders; empty: none. npm start and npx zoetrope use the folder zoetrope in the user's cache folder",
  }),
  host: Type.String({
    env: 'ZOETROPE_HOST',
    default: '127.0.0.1',
    description: 'IP address or host name to listen on',
  }),
  port: Type.Integer({
    env: 'ZOETROPE_PORT',
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port to listen on; 0: any free port',
  }),
  edgeHost: Type.String({
    env: 'ZOETROPE_EDGE_HOST',
    default: '127.0.0.1',
    description: 'IP address or host name to listen on for edges. The service trusts everybody who can connect to it',
  }),
  edgePort: Type.Integer({
    env: 'ZOETROPE_EDGE_PORT',
    default: 0,
    minimum: 0,
    maximum: 65535,
    description:
      'Port for edges: caches in front of the service that ask it which callers are admitted (see deploy/); 0: none',
  }),
  edgePurgeUrl: Type.String({
    env: 'ZOETROPE_EDGE_PURGE_URL',
    default: '',
    pattern: '^$|^https?://',
    description:
      'URL of the edge. The service sends PURGE and SOFTPURGE requests to it when cached responses become stale; empty: none',
  }),
  publicUrl: Type.String({
    env: 'ZOETROPE_PUBLIC_URL',
    default: '',
    pattern: '^$|^https?://',
    description:
      'Public base URL of the service. It can have a path if a proxy in front of the service removes that path; empty: http://HOST:PORT',
  }),
  mediaUrl: Type.String({
    env: 'ZOETROPE_MEDIA_URL',
    default: '',
    pattern: '^$|^https?://',
    description: 'Public base URL of the media in responses; empty: the public URL of the service',
  }),
  operatorName: Type.String({
    env: 'ZOETROPE_OPERATOR_NAME',
    default: 'Zoetrope',
    minLength: 1,
    maxLength: 100,
    description: "Name in the attribution line 'GIFs from NAME'",
  }),
  operatorUrl: Type.String({
    env: 'ZOETROPE_OPERATOR_URL',
    default: '',
    pattern: '^$|^https?://',
    description: 'Home page that the attribution line links to; empty: the public URL of the service',
  }),
  threads: Type.Integer({
    env: 'ZOETROPE_THREADS',
    default: 0,
    minimum: 0,
    maximum: 256,
    description: 'Number of threads that serve requests; 0: one per core',
  }),
  metricsPort: Type.Integer({
    env: 'ZOETROPE_METRICS_PORT',
    default: 0,
    minimum: 0,
    maximum: 65535,
    description: 'Port on 127.0.0.1 that serves /metrics for Prometheus; 0: none',
  }),
  machine: Type.String({
    env: 'ZOETROPE_MACHINE',
    default: '',
    maxLength: 64,
    description:
      "Name of this machine among the machines that share a PostgreSQL database. Files that are added on this machine are read by processes with this name; empty: the machine's host name",
  }),
  background: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_BACKGROUND',
    default: 'on',
    description:
      'off: the service only answers requests; other processes add GIFs (zoetrope work --keep) and follow relays (zoetrope relays follow)',
  }),
  diskReserveBytes: Type.Integer({
    env: 'ZOETROPE_DISK_RESERVE_BYTES',
    default: 500_000_000,
    minimum: 0,
    description: 'Number of bytes to keep free on the media disk; while fewer bytes are free, no media are stored',
  }),
  starter: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    env: 'ZOETROPE_STARTER',
    default: 'on',
    description: 'on: when the service starts with an empty data folder, it adds the starter catalogue',
  }),
  logLevel: Type.Union(
    ['debug', 'info', 'warn', 'error', 'silent'].map((level) => Type.Literal(level)),
    { env: 'ZOETROPE_LOG_LEVEL', default: 'warn', description: 'Lowest level of messages to log' },
  ),
});

/** Each room's settings. The key is the name of the room's table in a configuration file. */
const PARTS = {
  service: ServiceConfig,
  http: HttpConfig,
  index: IndexConfig,
  cluster: ClusterConfig,
  registry: RegistryConfig,
  account: AccountConfig,
  payments: PaymentsConfig,
  limits: LimitsConfig,
  media: MediaConfig,
  s3: S3Config,
  fetch: FetchConfig,
  relays: RelayConfig,
  sharing: SharingConfig,
  embed: EmbedConfig,
  enrich: EnrichConfig,
} as const;

type Parts = { [Name in keyof typeof PARTS]: Static<(typeof PARTS)[Name]> };

export interface Config extends Parts {
  service: Parts['service'] & { data: string; threads: number };
}

interface Field {
  env: string;
  /**
   * For a former setting, its variable is here instead of in `env`. The service always uses its default. Only tests and
   * benchmarks change it, with a variable that begins with `ZOETROPE_TEST_`.
   */
  former?: string;
  default: string | number | boolean;
  description: string;
  type?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  /** Describes the pattern in error messages. */
  form?: string;
  anyOf?: { const: string }[];
}

/**
 * Name of the variable with the key that the commands `search`, `suggest` and `similar` send. The variable is not a
 * setting, but users export it.
 */
const API_KEY = 'ZOETROPE_KEY';

/** Names of the files with settings, in the working folder. The first one that exists is read. */
export const CONFIG_FILES = ['zoetrope.toml', 'zoetrope.json'] as const;

/**
 * Loads the configuration. `zoetrope.toml` or `zoetrope.json` in the working folder overrides the defaults, and the
 * environment overrides both.
 * @throws OperatorError that lists all errors, with the names of their variables
 */
export function loadConfig(env: NodeJS.ProcessEnv, folder: string): Config {
  const file = readConfigFile(folder);
  const problems: string[] = [];
  const parts: Record<string, Record<string, unknown>> = {};
  for (const [part, name, field] of allFields()) {
    parts[part] ??= {};
    const given = field.former === undefined ? (env[field.env] ?? file[part]?.[name]) : env[testName(field.former)];
    const value = given === undefined ? field.default : readField(given, field);
    if (value === undefined)
      problems.push(
        `${field.env ?? testName(field.former!)} must be ${expectation(field)}, not ${shown(field, given)}`,
      );
    parts[part][name] = value;
  }
  problems.push(
    ...unknownNames(env, file),
    ...wrongRelays(parts['relays']!['urls'] as string | undefined),
    ...wrongFaces((parts['http']!['faces'] as string | undefined) ?? ''),
    ...wrongRelay(parts['http']!),
    ...wrongPublishing(parts),
  );
  if (problems.length > 0) throw new OperatorError(`The configuration has errors:\n  ${problems.join('\n  ')}`);
  return complete(parts as unknown as Config, folder);
}

/** Returns the variable with which tests change a constant that was a setting. */
function testName(former: string): string {
  return former.replace('ZOETROPE_', 'ZOETROPE_TEST_');
}

/**
 * Returns an error message if the relay URLs are invalid. Checks parts that a pattern cannot check, such as port
 * numbers. Without this check, the service would start and follow no relay.
 */
function wrongRelays(urls = ''): string[] {
  try {
    relayAddresses(urls);
    return [];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return [`ZOETROPE_RELAYS: ${error.message}`];
  }
}

/** Yields all settings with part and name, in the order of the documentation. */
export function* fields(): Generator<[part: string, name: string, field: Field]> {
  for (const one of allFields()) if (one[2].former === undefined) yield one;
}

function* allFields(): Generator<[part: string, name: string, field: Field]> {
  for (const [part, schema] of Object.entries(PARTS)) {
    for (const [name, field] of Object.entries(schema.properties)) yield [part, name, field as unknown as Field];
  }
}

/** A setting as it is in force. */
export interface SettingInForce {
  variable: string;
  table: string;
  name: string;
  /** Secrets are masked. */
  value: string;
  default: string;
  source: 'default' | 'variable' | 'file';
  /** The allowed values. */
  values: string;
  description: string;
}

/**
 * Returns all settings with the values in force.
 * @param config the configuration that was loaded from the same environment and folder
 */
export function settingsInForce(config: Config, env: NodeJS.ProcessEnv, folder: string): SettingInForce[] {
  const file = readConfigFile(folder);
  return [...fields()].map(([table, name, field]) => {
    const value = (config as unknown as Record<string, Record<string, unknown>>)[table]![name];
    return {
      ...{ variable: field.env, table, name, value: masked(field.env, String(value)) },
      default: String(field.default),
      source: env[field.env] !== undefined ? 'variable' : file[table]?.[name] !== undefined ? 'file' : 'default',
      values: expectation(field),
      description: field.description,
    };
  });
}

/** The variables whose whole value is a secret. */
const SECRET = /_KEY$|PASSWORD|SECRET|NWC_URL$/;

/** Returns a wrong value for an error message. */
function shown({ env }: { env: string | undefined }, given: unknown): string {
  return env !== undefined && SECRET.test(env) ? 'what was given' : JSON.stringify(given);
}

/** Hides a secret, and the user and password in a URL. */
function masked(env: string, value: string): string {
  if (SECRET.test(env)) return value === '' ? '' : '(set, not shown)';
  return value
    .replace(/(\w+:\/\/)[^\s,]*@/g, '$1(not shown)@')
    .replace(/([?&][^=&\s,]*(?:password|secret|token|key)[^=&\s,]*=)[^&\s,]+/gi, '$1(not shown)');
}

/** Returns the name of the file with settings in this folder; empty if there is none. */
export function configFileIn(folder: string): string {
  return CONFIG_FILES.find((name) => fs.existsSync(path.join(folder, name))) ?? '';
}

/** Returns a warning for each former setting that the operator still sets. The warning says what happens instead. */
export function formerSettings(env: NodeJS.ProcessEnv, folder: string): string[] {
  const file = readConfigFile(folder);
  return [...allFields()].flatMap(([part, name, { former, default: value }]) => {
    if (former === undefined) return [];
    const given = [env[former] !== undefined && former, file[part]?.[name] !== undefined && `${part}.${name}`];
    const always = `is not a setting any more. Remove it: the service always uses ${JSON.stringify(value)}`;
    return given.flatMap((which) => (which === false ? [] : `${which} ${always}`));
  });
}

/** Returns the setting with this variable. */
export function fieldOf(env: string): [part: string, name: string, field: Field] {
  return [...fields()].find(([, , field]) => field.env === env)!;
}

/** Returns the allowed values of a setting if the given value is not allowed. */
export function problemOf(env: string, given: string): string | undefined {
  const [, , field] = fieldOf(env);
  return readField(given, field) === undefined ? expectation(field) : undefined;
}

/** Describes the allowed values of a setting. */
export function expectation(field: Field): string {
  if (field.anyOf) return `one of ${field.anyOf.map((option) => option.const).join(', ')}`;
  if (field.type === 'integer') {
    const { minimum, maximum } = field;
    return maximum === undefined
      ? `a whole number, ${minimum} or more`
      : `a whole number from ${minimum} to ${maximum}`;
  }
  if (field.type === 'boolean') return 'true or false';
  if (field.form) return field.form;
  if (field.pattern?.includes('http')) return 'an http or https URL, or empty';
  return field.maxLength ? `a string of ${field.minLength ?? 0} to ${field.maxLength} characters` : 'a string';
}

function readField(given: unknown, field: Field): string | number | boolean | undefined {
  const text = String(given).trim();
  if (field.anyOf) return field.anyOf.some((option) => option.const === text) ? text : undefined;
  if (field.type === 'boolean') return { true: true, false: false }[text];
  return field.type === 'integer' ? readInteger(text, field) : readText(text, field);
}

function readInteger(text: string, { minimum = -Infinity, maximum = Infinity }: Field): number | undefined {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= minimum && value <= maximum ? value : undefined;
}

function readText(text: string, { minLength = 0, maxLength = Infinity, pattern = '' }: Field): string | undefined {
  const fits = text.length >= minLength && text.length <= maxLength && new RegExp(pattern).test(text);
  return fits ? text : undefined;
}

function readConfigFile(folder: string): Record<string, Record<string, unknown> | undefined> {
  for (const name of CONFIG_FILES) {
    const file = path.join(folder, name);
    if (!fs.existsSync(file)) continue;
    try {
      const text = fs.readFileSync(file, 'utf8');
      return (name.endsWith('.toml') ? parseToml(text) : JSON.parse(text)) as Record<string, Record<string, unknown>>;
    } catch (cause) {
      throw new OperatorError(`${name} cannot be read: ${(cause as Error).message}`, { cause });
    }
  }
  return {};
}

/** Returns messages about misspelt names. Without these messages, misspelt names would be ignored silently. */
function unknownNames(env: NodeJS.ProcessEnv, file: Record<string, Record<string, unknown> | undefined>): string[] {
  const known = new Set([...fields()].flatMap(([part, name, field]) => [field.env, `${part}.${name}`]));
  const former = new Set([...allFields()].flatMap(([part, name, field]) => [field.former, `${part}.${name}`]));
  const variables = Object.keys(env).filter(
    (name) => name.startsWith('ZOETROPE_') && !name.startsWith('ZOETROPE_TEST_') && name !== API_KEY,
  );
  const settings = Object.entries(file).flatMap(([part, table]) =>
    Object.keys(table ?? {}).map((name) => `${part}.${name}`),
  );
  return [...variables, ...settings]
    .filter((name) => !known.has(name) && !former.has(name))
    .map((name) => `${name} is not a setting of Zoetrope${hintOf(name, [...known])}`);
}

/** The right name is suggested for a name with at most this number of slips. */
const MAX_SLIPS = 3;

function hintOf(name: string, known: readonly string[]): string {
  const distance = new EditDistance();
  const slips = (other: string) => distance.between(unitsOf(name), unitsOf(other), MAX_SLIPS);
  const nearest = known.reduce((best, other) => (slips(other) < slips(best) ? other : best));
  return slips(nearest) <= MAX_SLIPS ? `. Did you mean ${nearest}?` : '';
}

function complete(config: Config, folder: string): Config {
  const { service } = config;
  service.data = path.resolve(folder, service.data);
  service.threads ||= os.availableParallelism();
  service.machine ||= os.hostname();
  service.publicUrl = service.publicUrl.replace(/\/+$/, '');
  service.mediaUrl = service.mediaUrl.replace(/\/+$/, '');
  // On a terminal, a line for each picture would hide all other messages.
  if (config.http.requestLog === 'auto') config.http.requestLog = isForPeople() ? 'off' : 'on';
  return config;
}
