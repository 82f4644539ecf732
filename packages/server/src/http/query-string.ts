import { QueryError } from '@zoetrope/contract';

/** Parameters as they were sent: a text, or a list of texts where one was repeated. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** An address of 16 KiB, Node's bound, has fewer; more than these are nobody's search. */
const MAX_PARAMETERS = 100;

/**
 * The parameters of a request's address. The framework's own reading is switched off: cached answers need none.
 * @throws QueryError naming the parameter whose escapes are not UTF-8, or saying that there are too many
 */
export function readQueryString(address: string): RawQuery {
  const query: Record<string, string | string[]> = Object.create(null);
  const start = address.indexOf('?');
  const pairs = start < 0 ? [] : address.slice(start + 1).split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) throw new QueryError(`more than ${MAX_PARAMETERS} parameters`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), 'a name');
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1), name);
    const known = query[name];
    query[name] = known === undefined ? value : [known, value].flat();
  }
  return query;
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new QueryError(
      `${name.slice(0, 100)} has a % that does not begin an escape of UTF-8; a % itself is written %25`,
    );
  }
}
