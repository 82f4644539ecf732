import { expect, test } from 'vitest';
import { OperatorError } from '../../base/errors.ts';
import { modelFile } from './index.ts';

test('a file that was not made is an operator’s mistake, with what to run', () => {
  expect(() => modelFile('no-such-file.bin')).toThrow(OperatorError);
  expect(() => modelFile('no-such-file.bin')).toThrow(/no-such-file\.bin is missing\. .*`npm start`/);
});
