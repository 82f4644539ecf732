import Ocr from '@gutenye/ocr-node';
import { InferenceSession } from 'onnxruntime-node';
import { answerRequests } from '../process/child.ts';
import type { Line, ReadRequest } from './reading.ts';
import { seeingSpaces } from './spaces.ts';
import { writeTiff } from './tiff.ts';

// Entry point of the process that reads captions.

// The library itself opens its two networks, and returns only text. Therefore its function for opening networks is
// replaced.
const open = InferenceSession.create.bind(InferenceSession) as (
  file: string,
  options: InferenceSession.SessionOptions,
) => Promise<InferenceSession>;
Object.assign(InferenceSession, {
  create: async (file: string, options: InferenceSession.SessionOptions) => {
    const session = await open(file, options);
    return file.includes('_rec_') ? seeingSpaces(session) : session;
  },
});

answerRequests<ReadRequest, Line[][]>(async () => {
  const ocr = await Ocr.create({ onnxOptions: { intraOpNumThreads: 1, interOpNumThreads: 1 } });
  return async ({ frames, width, height }) => {
    const bytes = width * height * 3;
    const read: Line[][] = [];
    for (let at = 0; at < frames.length; at += bytes) {
      const file = writeTiff(frames.subarray(at, at + bytes), { width, height });
      // The decoder accepts paths and bytes, but its types only allow paths.
      const lines: Line[] = await ocr.detect(file as unknown as string);
      read.push(lines.map(({ text, mean }) => ({ text, mean })));
    }
    return read;
  };
});
