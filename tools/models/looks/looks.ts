import { convert } from './convert.ts';
import { readNetwork } from './keras.ts';

/** The layer that tells pictures apart best; the last ones know little more than the five classes. */
const EMBEDDING = { layer: 'block_13_expand_relu', numbers: 576 };

/**
 * The file looks.onnx: nsfwjs' MobileNetV2 for pictures of 224 x 224, see `convert`. Its embedding is what "similar" is
 * made of, each number from 0 to 6; its probabilities are the first opinion of the rating.
 */
export function makeLooks(): Uint8Array {
  return convert(readNetwork('mobilenet_v2', 1), 224, EMBEDDING);
}
