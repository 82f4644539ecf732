import { parse } from 'node:querystring';

/** Parameters as they were sent: a text, or a list of texts where one was repeated. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** The parameters of a request's address. The framework's own reading is switched off: cached answers need none. */
export function readQueryString(address: string): RawQuery {
  const start = address.indexOf('?');
  return start < 0 ? {} : parse(address.slice(start + 1));
}
