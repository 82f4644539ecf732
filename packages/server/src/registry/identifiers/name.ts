import { ServiceError } from '../../base/errors.ts';

const MAX_LENGTH = 100;

/** Normalises a name, which must be one line. @throws ServiceError `validation` */
export function canonicalName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name !== '' && name.length <= MAX_LENGTH && !/[\p{Cc}\u2028\u2029]/u.test(name)) return name;
  throw new ServiceError('validation', `name must be 1 to ${MAX_LENGTH} characters on one line`);
}
