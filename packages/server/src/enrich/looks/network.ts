import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Frame } from './frame.ts';

const CHANNELS = 3;

/** Output of the network for consecutive pictures. */
export interface Impression {
  /** 576 numbers per picture, from 0 to 6. Empty if the network has no such output. */
  readonly embedding: Float32Array;
  /** Probabilities of drawing, hentai, neutral, porn and sexy: 5 numbers per picture. */
  readonly probs: Float32Array;
}

export type Network = (pictures: readonly Frame[]) => Promise<Impression>;

/** Loads a network that tools/models/looks created, from a file or from the file's bytes. */
export async function openNetwork(model: string | Uint8Array): Promise<Network> {
  // There is only one thread, because on a busy machine two threads would wait for each other.
  const options: InferenceSession.SessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session =
    typeof model === 'string'
      ? await InferenceSession.create(model, options)
      : await InferenceSession.create(model, options);
  return async (pictures) => {
    const { side } = pictures[0]!;
    const bytes = Buffer.concat(pictures.map(({ pixels }) => pixels));
    const image = new Tensor('uint8', bytes, [pictures.length, side, side, CHANNELS]);
    const { embedding, probs } = await session.run({ image });
    return { embedding: (embedding?.data ?? new Float32Array()) as Float32Array, probs: probs!.data as Float32Array };
  };
}
