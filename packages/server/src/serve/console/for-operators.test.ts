import { expect, test } from 'vitest';
import { OperatorError } from '../../base/errors.ts';
import { forOperators } from './for-operators.ts';

test("an operator's mistake becomes a response with its message, and other errors stay what they are", async () => {
  const mistake = new OperatorError('There is no build a1. See zoetrope builds');
  const rejected = forOperators(() => Promise.reject(mistake));
  await expect(rejected).rejects.toMatchObject({ code: 'validation', message: mistake.message, cause: mistake });
  const fault = new TypeError('x is undefined');
  await expect(forOperators(() => Promise.reject(fault))).rejects.toBe(fault);
  expect(await forOperators(async () => 7)).toBe(7);
});
