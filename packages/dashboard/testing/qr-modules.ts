import { encode } from 'uqr';

/** Returns the rows of the QR code of a text, with its light border. Dark modules are true. */
export function qrModules(text: string): boolean[][] {
  return encode(text, { border: 3 }).data;
}
