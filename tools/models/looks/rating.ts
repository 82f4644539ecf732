import { convert } from './convert.ts';
import { readNetwork } from './keras.ts';

/**
 * Makes the file rating.onnx: nsfwjs' InceptionV3 for pictures of 299 x 299, the second opinion of the rating (see
 * `convert`).
 */
export function makeRating(): Uint8Array {
  return convert(readNetwork('inception_v3', 6), 299);
}
