import { answerRequests } from '../process/child.ts';
import { describeFrames } from './descriptor.ts';
import { FRAME_BYTES, FRAME_SIDE, type Frame } from './frame.ts';
import { pictureHash } from './hash.ts';
import { type Impression, type Network, openNetwork } from './network.ts';
import type { LookRequest, PictureLook } from './sight.ts';
import { suspicionOf } from './suspicion.ts';

// Entry point of the process that describes frames. The argument is the network's file.

answerRequests<LookRequest, PictureLook>(async () => {
  const network = await openNetwork(process.argv[2]!);
  return (request) => look(network, request);
});

/** Describes frames. A single run of the network returns all its outputs. */
async function look(network: Network, { frames: pixels, described }: LookRequest): Promise<PictureLook> {
  const frames: Frame[] = [];
  for (let at = 0; at < pixels.length; at += FRAME_BYTES) {
    frames.push({ side: FRAME_SIDE, pixels: pixels.subarray(at, at + FRAME_BYTES) });
  }
  const [first, others] = [frames.slice(0, described), frames.slice(described)];
  let impression: Impression;
  const descriptor = await describeFrames(first, async (pictures) => {
    impression = await network([...pictures, ...others]);
    const numbers = impression.embedding.length / (pictures.length + others.length);
    return pictures.map((_, i) => impression.embedding.subarray(i * numbers, (i + 1) * numbers));
  });
  return { descriptor, suspicion: suspicionOf(impression!.probs).worst, hashes: first.map(pictureHash) };
}
