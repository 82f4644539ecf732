import type { Frame } from '../looks/frame.ts';
import { openNetwork } from '../looks/network.ts';
import { type Suspicion, suspicionOf } from '../looks/suspicion.ts';
import { answerRequests } from '../process/child.ts';
import { JUDGED_BYTES, JUDGED_SIDE, type JudgeRequest } from './judged.ts';

// Entry point of the process with the second rating network. Its argument is the network's file.

answerRequests<JudgeRequest, Suspicion>(async () => {
  const network = await openNetwork(process.argv[2]!);
  return async ({ frames }) => {
    const probs: number[] = [];
    // Frames are rated one by one, because one run with all frames would take as much time and several times the
    // memory.
    for (let at = 0; at < frames.length; at += JUDGED_BYTES) {
      const frame: Frame = { side: JUDGED_SIDE, pixels: frames.subarray(at, at + JUDGED_BYTES) };
      probs.push(...(await network([frame])).probs);
    }
    return suspicionOf(Float32Array.from(probs));
  };
});
