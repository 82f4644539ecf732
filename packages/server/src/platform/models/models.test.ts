import { expect, test } from 'vitest';
import { OperatorError } from '../../base/errors.ts';
import { modelFile } from './index.ts';

test('a missing file is reported with the command that creates it', () => {
  expect(() => modelFile('no-such-file.bin')).toThrow(OperatorError);
  expect(() => modelFile('no-such-file.bin')).toThrow(/no-such-file\.bin is missing\. .*`npm start`/);
});
