import { expect, it } from 'vitest';
import { OperatorError } from '../base/errors.ts';
import { relayAddress, relayAddresses } from './addresses.ts';

it.each([
  ['wss://Relay.Example', 'wss://relay.example'],
  ['wss://relay.example/', 'wss://relay.example'],
  ['wss://relay.example:443', 'wss://relay.example'],
  ['wss://relay.example#notes', 'wss://relay.example'],
  ['ws://127.0.0.1:7777/inbox/', 'ws://127.0.0.1:7777/inbox'],
  ['wss://relay.example/?a=1#b', 'wss://relay.example/?a=1'],
])('%s is the relay %s', (text, url) => {
  expect(relayAddress(text)).toBe(url);
});

it('a list can have spaces, line breaks and empty places', () => {
  expect(relayAddresses(' wss://a.example ,\nws://b.example:80,, ')).toEqual(['wss://a.example', 'ws://b.example']);
  expect(relayAddresses(' ')).toEqual([]);
});

it.each([
  ['relay.example', 'relay.example: a relay URL must start with wss:// or ws://'],
  ['https://relay.example', 'https://relay.example: a relay URL must start with wss:// or ws://'],
  ['wss://relay.example:65536', 'wss://relay.example:65536: the port must be at most 65535'],
  ['ws://relay.example:70000/inbox', 'ws://relay.example:70000/inbox: the port must be at most 65535'],
  ['wss://', 'wss://: this is not a valid URL; an example is wss://relay.example'],
  ['wss://relay.example:port', 'wss://relay.example:port: this is not a valid URL'],
])('%s is refused with the reason', (text, message) => {
  expect(() => relayAddress(text)).toThrow(OperatorError);
  expect(() => relayAddress(text)).toThrow(message);
});

it('the reason repeats only the first 200 characters', () => {
  expect(() => relayAddress('x'.repeat(1_000))).toThrow(/^x{200}: a relay URL/);
});
