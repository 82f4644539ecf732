import { html } from 'lit';
import { LOCALE } from './language.ts';

/** A text that depends on the number `{n}`. There is a form for each plural category of the language (CLDR). */
export interface Counted {
  zero?: string;
  one?: string;
  two?: string;
  few?: string;
  many?: string;
  other: string;
}

/**
 * The texts of one language. `{name}` is a value. In texts for `rich`, `*text*` is strong, `[text]` is a link, and text
 * between backticks is code.
 */
export type Catalogue = Readonly<Record<string, string | Counted>>;

/** The type of the other languages: the same keys, and plural forms where English has them. */
export type Translation<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Counted;
};

type Holes<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never;
type FormOf<Text> = Text extends { other: infer Form } ? Form : Text;
type Link<Text> = Text extends `${string}[${string}]${string}` ? { link: (text: unknown) => unknown } : unknown;
type Numbers<Text> = Text extends string ? unknown : { n: number };
/** The values that a text needs. A text without values needs no argument. */
type Values<Text, Value> = { [Name in Holes<FormOf<Text>>]: Value } & Link<FormOf<Text>> & Numbers<Text>;
type Arguments<Text, Value> =
  Holes<FormOf<Text>> extends never
    ? FormOf<Text> extends `${string}[${string}`
      ? [values: Values<Text, Value>]
      : []
    : [values: Values<Text, Value>];

/** The keys of the texts without values. */
export type PlainKey<English> = {
  [Key in keyof English]: Arguments<English[Key], Plain> extends [] ? Key : never;
}[keyof English];

type Plain = string | number;

/** The functions that return texts of a catalogue in the language of the page. */
export interface Texts<English> {
  /** Returns a text. Numbers among the values are formatted. */
  say<Key extends keyof English>(key: Key, ...values: Arguments<English[Key], Plain>): string;
  /** Returns the parts of a text with markup, for a template. */
  rich<Key extends keyof English>(key: Key, ...values: Arguments<English[Key], unknown>): unknown[];
  /** Replaces the English texts. */
  use(texts: Catalogue): void;
}

const plural = new Intl.PluralRules(LOCALE);
const numbers = new Intl.NumberFormat(LOCALE);
const MARKUP = /`([^`]+)`|\*([^*]+)\*|\[([^\]]+)\]|\{(\w+)\}/g;

/** Makes the functions for a catalogue. */
export function textsOf<English extends Catalogue>(english: English): Texts<English> {
  let own: Catalogue = english;
  const find = (key: keyof English, { n }: Record<string, unknown>): string => {
    const text = own[key as string] ?? english[key]!;
    if (typeof text === 'string') return text;
    return text[plural.select(n as number)] ?? text.other;
  };
  return {
    say: (key, ...[values = {}]) => fill(find(key, values), values),
    rich: (key, ...[values = {}]) => partsOf(find(key, values), values),
    use: (texts) => {
      own = texts;
    },
  };
}

/** Replaces the placeholders of a text. */
function fill(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(shown(values[name] ?? whole)));
}

function partsOf(text: string, values: Readonly<Record<string, unknown>>): unknown[] {
  const parts: unknown[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKUP)) {
    const [whole, code, strong, link, name] = match;
    parts.push(text.slice(from, match.index));
    from = match.index + whole.length;
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${partsOf(strong, values)}</strong>`);
    else if (link !== undefined) parts.push((values['link'] as (inner: unknown) => unknown)(partsOf(link, values)));
    else parts.push(shown(values[name!] ?? whole));
  }
  parts.push(text.slice(from));
  return parts;
}

function shown(value: unknown): unknown {
  return typeof value === 'number' ? numbers.format(value) : value;
}
