import { ServiceError } from '../errors.ts';

/** Fewer say nothing of one app. */
const MIN_LITERALS = 6;
const MAX_LENGTH = 200;

/** Printable ASCII: what apps write there. */
const PRINTABLE = /^[ -~]*$/;

/**
 * The form a User-Agent pattern is registered in: text in which `*` stands for any text, also none.
 * @throws ServiceError `validation`
 */
export function canonicalPattern(text: string): string {
  const pattern = text.trim().replace(/\*+/g, '*');
  const literals = pattern.replaceAll('*', '').length;
  if (literals >= MIN_LITERALS && pattern.length <= MAX_LENGTH && PRINTABLE.test(pattern)) return pattern;
  throw new ServiceError(
    'validation',
    `User-Agent must be printable ASCII of at most ${MAX_LENGTH} characters, at least ${MIN_LITERALS} of them beside *`,
  );
}

/**
 * Whether a User-Agent is one of a pattern's. Each literal is looked for once, from where the one before it ended, so the
 * time does not depend on how many ways there are.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const literals = pattern.split('*');
  if (literals.length === 1) return text === pattern;
  const first = literals[0]!;
  const last = literals.at(-1)!;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let from = first.length;
  for (const literal of literals.slice(1, -1)) {
    const at = text.indexOf(literal, from);
    if (at < 0 || at + literal.length > end) return false;
    from = at + literal.length;
  }
  return true;
}
