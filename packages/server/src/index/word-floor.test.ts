import { expect, test } from 'vitest';
import { BUNDLED } from '../embed/child/bundled-model.ts';
import { wordFloorOf } from './word-floor.ts';

test('only the bundled encoder says little about single words', () => {
  expect(wordFloorOf(BUNDLED.id)).toBe(0.7);
  for (const other of ['onnx:ef096ec0c42217fe/384', 'table:0123/384', 'http:use-lite-en@1/512'])
    expect(wordFloorOf(other)).toBe(0);
});
