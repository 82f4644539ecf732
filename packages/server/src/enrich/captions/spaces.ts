import type { InferenceSession } from 'onnxruntime-node';

/**
 * Between bold capitals the recogniser rarely dares to see a space: of 40 captions 21 had words run together, with this
 * weight none. More of it splits words.
 */
const WEIGHT = 20;
/** In its alphabet "nothing" is the first sign and the space the last one. */
const NOTHING = 0;

type Run = InferenceSession['run'];

/** The recogniser with spaces where it saw nothing but might as well have seen one. Its certainty stays what it was. */
export function seeingSpaces(session: InferenceSession): InferenceSession {
  const run = session.run.bind(session) as Run;
  const runWithSpaces = async (...args: Parameters<Run>): ReturnType<Run> => {
    const outputs = await run(...args);
    const { data, dims } = outputs[session.outputNames[0]!]!;
    favourSpaces(data as Float32Array, dims.at(-1)!);
    return outputs;
  };
  return Object.assign(session, { run: runWithSpaces });
}

/** @param probabilities of `signs` signs at each place of a line */
export function favourSpaces(probabilities: Float32Array, signs: number): void {
  for (let at = 0; at < probabilities.length; at += signs) {
    const place = probabilities.subarray(at, at + signs);
    const nothing = place[NOTHING]!;
    const space = place.at(-1)!;
    if (nothing <= 0.5 || space * WEIGHT <= nothing) continue;
    place[signs - 1] = nothing;
    place[NOTHING] = space;
  }
}
