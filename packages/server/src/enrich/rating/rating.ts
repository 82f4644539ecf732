import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { OperatorError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { MODELS_ADVICE, modelFile } from '../../platform/models/index.ts';
import type { Suspicion } from '../looks/suspicion.ts';
import { Model } from '../process/model.ts';
import { JUDGED_BYTES, JUDGED_SIDE, type JudgeRequest } from './judged.ts';

/** Maximum memory of the process. The process takes 350 MB. */
const MAX_RSS_BYTES = 900_000_000;

/** Frame size for `Judge.suspect`. */
export const JUDGED_SIZE = { width: JUDGED_SIDE, height: JUDGED_SIDE } as const;

/**
 * Checksums of the files that tools/models makes. They are checked because a network from a damaged file could rate all
 * GIFs safe.
 */
const CHECKSUMS = {
  'looks.onnx': '6272a64c31083c0784d0319f6e94acaa84dec7760d01fce4b805be34519e2844',
  'rating.onnx': 'ae14d79214cdac5c4435007c326c8954285e1b925f4a2289d2f15d82f6dc270c',
} as const;

/** The second rating network, in a low-priority process. It rates GIFs that the first network suspects. */
export interface Judge {
  /**
   * Rates some frames. `frames` is one or more pictures of JUDGED_SIZE, as `Media.frames` returns them. Throws like
   * `Looks.look`.
   */
  suspect(frames: Uint8Array): Promise<Suspicion>;
  close(): Promise<void>;
  readonly pid: number | undefined;
}

export interface JudgeOptions {
  readonly log: Log;
  /** The network's file. The default is the file in packages/server/models. */
  readonly file?: string;
}

export function createJudge({ log, file }: JudgeOptions): Judge {
  const model = new Model<JudgeRequest, Suspicion>({
    log,
    does: 'rates GIFs',
    advice: MODELS_ADVICE,
    program: () => ({ entry: new URL('./child.ts', import.meta.url), args: [file ?? modelFile('rating.onnx')] }),
    maxRssBytes: MAX_RSS_BYTES,
  });
  return {
    suspect: async (frames) => {
      if (frames.length === 0 || frames.length % JUDGED_BYTES !== 0) {
        throw new RangeError(`frames is ${frames.length} bytes; a multiple of ${JUDGED_BYTES} is needed`);
      }
      return model.ask({ frames });
    },
    close: () => model.close(),
    get pid() {
      return model.pid;
    },
  };
}

/**
 * Checks the rating networks. Throws OperatorError if a network is missing or belongs to another version of the
 * program.
 */
export async function checkRatingModels(): Promise<void> {
  for (const [name, expected] of Object.entries(CHECKSUMS)) {
    const file = modelFile(name);
    const found = createHash('sha256')
      .update(await fs.readFile(file))
      .digest('hex');
    if (found === expected) continue;
    throw new OperatorError(`The file ${file} is damaged. ${MODELS_ADVICE}`);
  }
}
