/** The fields of a request's filter that this relay uses. Source: NIP-01, NIP-50. */
export interface Filter {
  ids?: string[];
  authors?: string[];
  kinds?: number[];
  since?: number;
  until?: number;
  limit?: number;
  search?: string;
  [tag: `#${string}`]: string[];
}

export const RELAY_LIMITS = {
  /** Characters of a message. */
  message: 32 * 1024,
  /** Filters of a request. */
  filters: 10,
  /** Values of a list in a filter. */
  values: 500,
  /** Maximum number of characters in a subscription id (NIP-01). */
  subscriptionId: 64,
  /** Maximum number of open subscriptions per connection. */
  subscriptions: 200,
} as const;

const LISTS_OF_TEXT = ['ids', 'authors'];
const NUMBERS = ['since', 'until', 'limit'];

/** A message of a client. */
export type Message =
  | { type: 'REQ'; id: string; filters: Filter[] }
  | { type: 'CLOSE'; id: string }
  | { type: 'EVENT'; id: string }
  | { type: 'wrong'; id: string | undefined; problem: string };

/** Parses a message of a client. */
export function readMessage(text: string): Message {
  const wrong = (problem: string, id?: string): Message => ({ type: 'wrong', id, problem });
  if (text.length > RELAY_LIMITS.message) return wrong(`a message has at most ${RELAY_LIMITS.message} characters`);
  const message = parse(text);
  if (!Array.isArray(message) || typeof message[0] !== 'string') return wrong('a message is a JSON array');
  const [type, first, ...rest] = message as [string, unknown, ...unknown[]];
  if (type === 'EVENT') return { type, id: idOf(first) };
  if (type !== 'REQ' && type !== 'CLOSE') return wrong(`${type.slice(0, 20)} is not supported`);
  if (typeof first !== 'string' || first === '' || first.length > RELAY_LIMITS.subscriptionId) {
    return wrong(`a subscription id has 1 to ${RELAY_LIMITS.subscriptionId} characters`);
  }
  if (type === 'CLOSE') return { type, id: first };
  if (rest.length === 0) return wrong('a filter is missing', first);
  if (rest.length > RELAY_LIMITS.filters) return wrong(`at most ${RELAY_LIMITS.filters} filters`, first);
  const problem = rest.map(problemOf).find((each) => each !== undefined);
  return problem === undefined ? { type, id: first, filters: rest as Filter[] } : wrong(problem, first);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function idOf(event: unknown): string {
  const { id } = (event ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id.slice(0, 64) : '';
}

function problemOf(filter: unknown): string | undefined {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return 'a filter is an object';
  const problems = Object.entries(filter).map(([name, value]) => problemOfField(name, value));
  return problems.find((problem) => problem !== undefined);
}

function problemOfField(name: string, value: unknown): string | undefined {
  if (name === 'search') return typeof value === 'string' ? undefined : 'search must be a string';
  if (NUMBERS.includes(name)) {
    return Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : `${name} must be a whole number`;
  }
  const type = name === 'kinds' ? 'number' : 'string';
  if (type === 'string' && !LISTS_OF_TEXT.includes(name) && !name.startsWith('#')) return undefined;
  const shown = name.slice(0, 20);
  if (!Array.isArray(value) || value.some((each) => typeof each !== type)) return `${shown} must be a list of ${type}s`;
  return value.length > RELAY_LIMITS.values ? `${shown} has at most ${RELAY_LIMITS.values} values` : undefined;
}

/** Returns the words of a search without the extensions of NIP-50, such as `language:en`. */
export function wordsOf(search: string): string {
  const words = search.split(/\s+/).filter((word) => !/^(?:include|domain|language|sentiment|nsfw):\S+$/.test(word));
  return words.join(' ').trim();
}
