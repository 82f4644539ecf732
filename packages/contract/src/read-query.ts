import type Type from 'typebox';

/** Thrown for an invalid query string. `message` names the field and its bounds. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
}

type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;
type Value = string | number;

interface Bounds {
  type?: string;
  const?: string;
  default?: Value;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  anyOf?: Bounds[];
}

/**
 * Reads the parameters of a schema from a parsed query string. Strings become numbers, and missing parameters get their
 * defaults. Unknown parameters are ignored, and repeated parameters are rejected. For a nullable number, an empty value
 * or `null` means the default.
 * @throws QueryError naming the first invalid parameter
 */
export function readQuery(schema: Type.TObject, raw: RawQuery): Record<string, Value> {
  const out: Record<string, Value> = {};
  const required = new Set<string>((schema as { required?: readonly string[] }).required ?? []);
  for (const [name, property] of Object.entries(schema.properties)) {
    const bounds = property as Bounds;
    const given = raw[name];
    if (Array.isArray(given)) throw new QueryError(`${name} must be given only once`);
    const value = given === undefined ? undefined : readValue(name, given as string, bounds);
    if (value !== undefined) out[name] = value;
    else if (bounds.default !== undefined) out[name] = bounds.default;
    else if (required.has(name)) throw new QueryError(`${name} is missing`);
  }
  return out;
}

function readValue(name: string, given: string, bounds: Bounds): Value | undefined {
  const nullable = bounds.anyOf?.some((option) => option.type === 'null');
  if (nullable && (given === '' || given === 'null')) return undefined;
  const integer = [bounds, ...(bounds.anyOf ?? [])].find((option) => option.type === 'integer');
  if (integer) return readInteger(name, given, integer);
  if (bounds.anyOf) return readChoice(name, given, bounds.anyOf);
  return readText(name, given, bounds);
}

function readInteger(name: string, given: string, { minimum, maximum }: Bounds): number {
  const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
  const fits = value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
  if (fits) return Math.min(value, Number.MAX_SAFE_INTEGER);
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  throw new QueryError(`${name} must be a whole number ${range}`);
}

function readChoice(name: string, given: string, options: Bounds[]): string {
  if (options.some((option) => option.const === given)) return given;
  throw new QueryError(`${name} must be one of ${options.map((option) => option.const).join(', ')}`);
}

function readText(name: string, given: string, { minLength = 0, maxLength = Infinity }: Bounds): string {
  // JSON Schema counts code points. A string never has more code points than UTF-16 units, so most strings need no
  // count.
  const length = given.length <= maxLength ? given.length : [...given].length;
  if (length >= minLength && length <= maxLength) return given;
  throw new QueryError(`${name} must have ${minLength} to ${maxLength} characters`);
}
