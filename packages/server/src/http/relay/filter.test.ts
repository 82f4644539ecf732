import { expect, test } from 'vitest';
import { RELAY_LIMITS, readMessage, wordsOf } from './filter.ts';

const list = (n: number) => Array.from({ length: n }, () => 'a');
const asked = (...message: unknown[]) => JSON.stringify(message);
const { filters, values, subscriptionId, message } = RELAY_LIMITS;
const padded = (length: number) => `["CLOSE","a"]${' '.repeat(length - 13)}`;

test.each<[string, string]>([
  ['REQ', asked('REQ', 'a', {})],
  ['REQ', asked('REQ', 'a', ...Array.from({ length: filters }, () => ({})))],
  ['REQ', asked('REQ', 'a'.repeat(subscriptionId), { ids: list(values), '#t': list(values), kinds: [1063], since: 0 })],
  ['REQ', asked('REQ', 'a', { search: 'cat', unknown: 5 })],
  ['CLOSE', padded(message)],
  ['EVENT', asked('EVENT', { id: 'b' })],
  ['EVENT', asked('EVENT', null)],
])('%s: a message within the limits is read: %.60s', (type, text) => {
  expect(readMessage(text).type).toBe(type);
});

test.each<[string, string | undefined, string]>([
  ['a message has at most 32768 characters', undefined, padded(message + 1)],
  ['a message is a JSON array', undefined, '{'],
  ['a message is a JSON array', undefined, '{}'],
  ['a message is a JSON array', undefined, '[5]'],
  ['COUNT is not supported', undefined, asked('COUNT', 'a', {})],
  ['a subscription id has 1 to 64 characters', undefined, asked('REQ', '', {})],
  ['a subscription id has 1 to 64 characters', undefined, asked('CLOSE', 'a'.repeat(subscriptionId + 1))],
  ['a filter is missing', 'a', asked('REQ', 'a')],
  ['at most 10 filters', 'a', asked('REQ', 'a', ...Array.from({ length: filters + 1 }, () => ({})))],
  ['a filter is an object', 'a', asked('REQ', 'a', {}, [])],
  ['search must be a string', 'a', asked('REQ', 'a', { search: 5 })],
  ['limit must be a whole number', 'a', asked('REQ', 'a', { limit: -1 })],
  ['until must be a whole number', 'a', asked('REQ', 'a', { until: 1.5 })],
  ['kinds must be a list of numbers', 'a', asked('REQ', 'a', { kinds: ['1'] })],
  ['#t must be a list of strings', 'a', asked('REQ', 'a', { '#t': 'cat' })],
  ['ids has at most 500 values', 'a', asked('REQ', 'a', { ids: list(values + 1) })],
])('a wrong message gets the answer: %s', (problem, id, text) => {
  expect(readMessage(text)).toEqual({ type: 'wrong', id, problem });
});

test('instructions such as include:spam do not count as words of a search', () => {
  expect(wordsOf(' happy  cat include:spam language:en domain: http://a ')).toBe('happy cat domain: http://a');
});
