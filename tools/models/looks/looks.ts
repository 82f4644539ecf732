import { convert } from './convert.ts';
import { readNetwork } from './keras.ts';

/** The layer that distinguishes pictures best. (The last layers contain little more than the five classes.) */
const EMBEDDING = { layer: 'block_13_expand_relu', numbers: 576 };

/**
 * Makes the file looks.onnx: nsfwjs' MobileNetV2 for pictures of 224 x 224 (see `convert`). The search for similar GIFs
 * uses its embedding, whose numbers are from 0 to 6. Its probabilities are the first opinion of the rating.
 */
export function makeLooks(): Uint8Array {
  return convert(readNetwork('mobilenet_v2', 1), 224, EMBEDDING);
}
