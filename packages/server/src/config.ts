import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EditDistance, unitsOf } from '@zoetrope/search';
import { parse as parseToml } from 'smol-toml';
import type { Static } from 'typebox';
import { AccountConfig } from './account/config.ts';
import { OperatorError } from './base/errors.ts';
import { expectation, type Field, readField, valuesIn } from './base/settings.ts';
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
import { ServiceConfig } from './service/config.ts';
import { SharingConfig, wrongPublishing } from './sharing/config.ts';

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

/**
 * Name of the variable with the key that the commands `search`, `suggest` and `similar` send. The variable is not a
 * setting, but users set it in their environment.
 */
const API_KEY = 'ZOETROPE_KEY';

/** Names of the files with settings, in the working folder. The first existing file is read. */
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
    const given = givenFor({ part, name, field }, { env, file });
    const value = given === undefined ? field.default : readField(given, field);
    if (value === undefined)
      problems.push(`${titleOf(part, name, field)} must be ${expectation(field)}, not ${shown(part, field, given)}`);
    parts[part][name] = value;
  }
  problems.push(
    ...unknownNames(env, file),
    ...unknownPairs({ env, file }),
    ...wrongRelays(parts['relays']!['urls'] as string | undefined),
    ...wrongFaces((parts['http']!['faces'] as string | undefined) ?? ''),
    ...wrongRelay(parts['http']!),
    ...wrongPublishing(parts),
  );
  if (problems.length > 0) throw new OperatorError(`The configuration has errors:\n  ${problems.join('\n  ')}`);
  return complete(parts as unknown as Config, folder);
}

/** The operator's input: the environment variables, and the file with settings by table and name. */
interface Given {
  env: NodeJS.ProcessEnv;
  file: Record<string, Record<string, unknown> | undefined>;
}

interface Placed {
  part: string;
  name: string;
  field: Field;
}

/** Returns the text that the operator set for this value, or `undefined`. */
function givenFor({ part, name, field }: Placed, { env, file }: Given): unknown {
  if (field.within === undefined) {
    return field.former === undefined ? (env[field.env] ?? file[part]?.[name]) : env[testName(field.former)];
  }
  const around = fieldAround(part, field);
  const text = env[around.env] ?? file[part]?.[field.within];
  const inside = text === undefined ? undefined : valuesIn(text, around)[name];
  return inside ?? (field.former === undefined ? undefined : env[field.former]) ?? file[part]?.[name];
}

/** Returns the setting that contains a value. */
function fieldAround(part: string, { within }: Field): Field {
  return PARTS[part as keyof Parts].properties[within as never] as unknown as Field;
}

/** Returns the values within a setting. */
function valuesWithin(part: string, setting: string): Placed[] {
  const fields = Object.entries(PARTS[part as keyof Parts].properties) as unknown as [name: string, field: Field][];
  return fields.flatMap(([name, field]) => (field.within === setting ? { part, name, field } : []));
}

/** Returns the name of a value in error messages. */
function titleOf(part: string, name: string, field: Field): string {
  if (field.within !== undefined) return `${fieldAround(part, field).env}: ${name}`;
  return field.env ?? testName(field.former!);
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
  for (const [part, name, field] of allFields()) {
    if (field.former === undefined && field.within === undefined) yield [part, name, described(part, name, field)];
  }
}

/** For a setting that is a list of pairs, adds the descriptions of its values. Returns other settings unchanged. */
function described(part: string, name: string, field: Field): Field {
  if (!isPairs(part, name, field)) return field;
  const values = shownPairs(part, name, field);
  return {
    ...field,
    default: joinPairs(values, (value) => value.field.default),
    form: 'NAME=VALUE, separated by commas',
    description: [field.description, ...values.map((value) => `${value.name}: ${value.field.description}`)].join('. '),
  };
}

function isPairs(part: string, name: string, { split }: Field): boolean {
  return split === undefined && valuesWithin(part, name).length > 0;
}

/** Returns the values of a list of pairs, without values that are set by a single word. */
function shownPairs(part: string, name: string, { word = {} }: Field): Placed[] {
  const inWords = Object.values(word).flatMap((values) => Object.keys(values));
  return valuesWithin(part, name).filter((value) => !inWords.includes(value.name));
}

function joinPairs(values: readonly Placed[], textOf: (value: Placed) => unknown): string {
  return values.map((value) => `${value.name}=${textOf(value)}`).join(', ');
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
    const values = (config as unknown as Record<string, Record<string, unknown>>)[table]!;
    const value = isPairs(table, name, field) ? pairsInForce(table, name, { field, values }) : values[name];
    return {
      ...{ variable: field.env, table, name, value: masked(field.env, String(value)) },
      default: String(field.default),
      source: sourceOf({ part: table, name, field }, { env, file }),
      values: expectation(field),
      description: field.description,
    };
  });
}

/** Returns the values of a list of pairs as the operator would write them. */
function pairsInForce(
  part: string,
  name: string,
  { field, values }: { field: Field; values: Record<string, unknown> },
): string {
  const isInForce = (pairs: Record<string, string>) =>
    Object.entries(pairs).every(([value, text]) => values[value] === text);
  const word = Object.entries(field.word ?? {}).find(([, pairs]) => isInForce(pairs));
  return word?.[0] ?? joinPairs(shownPairs(part, name, field), (value) => values[value.name]);
}

/** Returns where a setting, or a value within it, was set. */
function sourceOf({ part, name, field }: Placed, { env, file }: Given): SettingInForce['source'] {
  const within = valuesWithin(part, name);
  if ([field.env, ...within.map((value) => value.field.former ?? '')].some((one) => env[one] !== undefined))
    return 'variable';
  return [name, ...within.map((value) => value.name)].some((one) => file[part]?.[one] !== undefined)
    ? 'file'
    : 'default';
}

/** The variables whose whole value is a secret. */
const SECRET = /_KEY$|PASSWORD|SECRET|WALLET$/;

/** Returns a wrong value for an error message. */
function shown(part: string, field: Field, given: unknown): string {
  const env = field.within === undefined ? field.env : fieldAround(part, field).env;
  return env !== undefined && SECRET.test(env) ? 'what was given' : masked('', JSON.stringify(given));
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
  return [...allFields()].flatMap(([part, name, field]) => {
    const {
      former,
      within,
      default: value,
      instead = `Remove it: the service always uses ${JSON.stringify(value)}`,
    } = field;
    if (former === undefined && within === undefined) return [];
    const given = [
      former !== undefined && ([former, env[former]] as const),
      [`${part}.${name}`, file[part]?.[name]] as const,
    ];
    return given.flatMap((one) => {
      if (one === false || one[1] === undefined) return [];
      const cure =
        within === undefined ? `is not a setting any more. ${instead}` : insteadOf({ part, name, field }, one[1]);
      return `${one[0]} ${cure}`;
    });
  });
}

/** Returns the text that the operator must write instead of a value's former name. */
function insteadOf({ part, name, field }: Placed, given: unknown): string {
  const { env, form, split, word = {} } = fieldAround(part, field);
  const short = Object.keys(word).find((key) => word[key]![name] === String(given));
  const written = split === undefined ? (short ?? `${name}=${String(given)}`) : form;
  return `still works in this version. Set ${env} instead: ${written}`;
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

/** Returns messages about names in a list of pairs that the setting does not have. */
function unknownPairs({ env, file }: Given): string[] {
  return [...fields()].flatMap(([part, name, field]) => {
    if (!isPairs(part, name, field)) return [];
    const known = valuesWithin(part, name).map((value) => value.name);
    const given = Object.keys(valuesIn(env[field.env] ?? file[part]?.[name] ?? '', field));
    const names = [...Object.keys(field.word ?? {}), ...shownPairs(part, name, field).map((value) => value.name)];
    return given
      .filter((one) => !known.includes(one))
      .map((one) => `${field.env} can have ${names.join(', ')}, not ${JSON.stringify(one)}`);
  });
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
