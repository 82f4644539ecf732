import { OperatorError } from '../base/errors.ts';

/** Returns the relay URLs in a comma-separated list. @throws OperatorError that names the first invalid URL */
export function relayAddresses(list: string): string[] {
  return list.split(',').flatMap((text) => (text.trim() === '' ? [] : [relayAddress(text.trim())]));
}

/**
 * Returns the canonical form of a relay's URL. With canonical URLs, a relay with several spellings is read only once.
 * @throws OperatorError if the URL is invalid
 */
export function relayAddress(text: string): string {
  const shown = text.slice(0, 200);
  if (!/^wss?:\/\//.test(text)) throw new OperatorError(`${shown}: a relay URL must start with wss:// or ws://`);
  const url = URL.parse(text);
  const port = /:(\d+)(?:[/?#]|$)/.exec(text.slice('wss://'.length))?.[1];
  if (url === null && Number(port) > 65_535) throw new OperatorError(`${shown}: the port must be at most 65535`);
  if (url === null) throw new OperatorError(`${shown}: this is not a valid URL; an example is wss://relay.example`);
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
