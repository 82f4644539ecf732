/** A setting, or a value within another setting, as a room's schema declares it. */
export interface Field {
  env: string;
  /**
   * The variable of a former setting, which `env` then does not contain. The service always uses the setting's default.
   * Only tests and benchmarks change the value, with a variable that begins with `ZOETROPE_TEST_`.
   */
  former?: string;
  /** For a former setting: what the operator must do instead. By default, the operator must remove the setting. */
  instead?: string;
  /** Name of the setting, in the same table, that contains this value. The variable in `former` still works, too. */
  within?: string;
  /**
   * For a setting that contains other values: returns these values by name. Without this function, the setting is a
   * list of pairs.
   */
  split?: (text: string) => Record<string, string>;
  /** For a list of pairs: a word that stands for these values. */
  word?: Record<string, Record<string, string>>;
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

/** Reads the value of a setting. Returns `undefined` if the setting does not allow it. */
export function readField(given: unknown, field: Field): string | number | boolean | undefined {
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

/**
 * Returns the values that a setting contains, by name. The setting is a list of pairs such as `search=100,
 * suggest=200`, or a URL.
 */
export function valuesIn(given: unknown, { split, word = {} }: Field): Record<string, string> {
  const text = String(given).trim();
  if (split !== undefined) return split(text);
  if (word[text] !== undefined) return word[text];
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), value.join('=').trim()];
    }),
  );
}
