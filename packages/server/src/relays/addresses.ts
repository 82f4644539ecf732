import { OperatorError } from '../base/errors.ts';

/** The addresses of a list with commas between. @throws OperatorError naming the first that is none */
export function relayAddresses(list: string): string[] {
  return list.split(',').flatMap((text) => (text.trim() === '' ? [] : [relayAddress(text.trim())]));
}

/** The address of a relay in one form, so that none is read twice. @throws OperatorError when it is none */
export function relayAddress(text: string): string {
  const shown = text.slice(0, 200);
  if (!/^wss?:\/\//.test(text)) throw new OperatorError(`${shown}: the address of a relay begins with wss:// or ws://`);
  const url = URL.parse(text);
  const port = /:(\d+)(?:[/?#]|$)/.exec(text.slice('wss://'.length))?.[1];
  if (url === null && Number(port) > 65_535) throw new OperatorError(`${shown}: a port is a number up to 65535`);
  if (url === null) throw new OperatorError(`${shown}: this is no address; one looks like wss://relay.example`);
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
