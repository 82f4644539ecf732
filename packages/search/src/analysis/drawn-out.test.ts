import { expect, test } from 'vitest';
import { analyse } from './analyse.ts';
import { calmed } from './drawn-out.ts';

test.each([
  ['nooo', ['no', 'noo']],
  ['cooool', ['col', 'cool']],
  ['happyyy', ['happy', 'happyy']],
  ['jajajaja', ['jaja']],
  ['yes', []],
  ['hello', []],
  ['zzz', []],
  ['viii', []],
])('%s can stand for %j', (word, forms) => {
  expect(calmed(word)).toEqual(forms);
});

test('all drawn-out forms of a word are the same term', () => {
  for (const word of ['nooo', 'NOOOOOOO', 'nooooooooooooó']) expect(analyse(word)).toEqual(['nooo']);
  expect(analyse('あああああ')).toHaveLength(4);
  expect(analyse('1000000')).toEqual(['1000000']);
});
