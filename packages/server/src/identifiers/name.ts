import { ServiceError } from '../base/errors.ts';
import { problemOfText } from '../base/plain-text.ts';

const MAX_LENGTH = 100;

/** Normalises a name, which must be one line. @throws ServiceError `validation` */
export function canonicalName(text: string): string {
  const name = text.normalize('NFC').trim();
  const isFitting = name !== '' && name.length <= MAX_LENGTH;
  const problem = isFitting ? problemOfText(name, 'line') : `must be 1 to ${MAX_LENGTH} characters on one line`;
  if (problem === undefined) return name;
  throw new ServiceError('validation', `name ${problem}`);
}
