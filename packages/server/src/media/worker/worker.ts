import sharp from 'sharp';
import { die, endWithService } from '../../platform/process/index.ts';
import { canAnimate, type Size } from '../derivatives.ts';
import { MediaRefusal, type RefusalReason } from '../refusal.ts';
import { previewTargets, type Target } from '../source.ts';
import { readFrameFacts } from './frame-facts.ts';
import { firstLine, type Inspected, inspect } from './inspect.ts';
import type { Job, JobResult, Limits, Usage, WorkerMessage } from './protocol.ts';
import { render, renderFrames } from './render.ts';
import { renderSmallVideo, renderVideo } from './video.ts';

// Entry point of a worker process. It decodes untrusted input and does nothing else.

sharp.cache(false);
sharp.concurrency(1);
// The library has decoders for many formats, but hostile files must reach only those for GIF and WebP.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadNsgif', 'VipsForeignLoadWebp'] });

endWithService();

process.on('message', (job: Job) => {
  const watch = watchUse(job.limits);
  void work(job)
    .then((result) => send({ type: 'done', result, usage: usage() }))
    .catch((error: unknown) => send({ type: 'refused', ...refusalOf(error), usage: usage() }))
    .finally(() => clearInterval(watch));
});
void send({ type: 'ready' });

/** Pause between two checks of the resources that a file has used. */
const WATCH_MS = 50;

/**
 * Kills this process if a file exceeds its limits. The decoder itself cannot be stopped, because it runs on a separate
 * thread.
 */
function watchUse({ maxCpuSeconds, maxMemoryMib }: Limits): NodeJS.Timeout {
  // A worker that has made many previews already uses more memory.
  const before = usage();
  const watch = setInterval(() => {
    const { cpuSeconds, rssBytes } = usage();
    const refusal = excess(
      cpuSeconds - before.cpuSeconds > maxCpuSeconds,
      rssBytes - before.rssBytes > maxMemoryMib * 2 ** 20,
    );
    if (refusal === undefined) return;
    clearInterval(watch);
    void send({ type: 'refused', ...refusal, usage: { rssBytes, cpuSeconds: Number.POSITIVE_INFINITY } }).finally(die);
  }, WATCH_MS);

  function excess(isSlow: boolean, isLarge: boolean): { reason: RefusalReason; message: string } | undefined {
    if (isSlow) {
      return { reason: 'too_slow', message: `its previews take more than ${maxCpuSeconds} s of CPU time` };
    }
    if (!isLarge) return undefined;
    return { reason: 'too_much_memory', message: `its previews take more than ${maxMemoryMib} MiB of memory` };
  }
  return watch;
}

async function work(job: Job): Promise<JobResult> {
  const image = await inspect(job.bytes, job.limits);
  for (const target of targetsOf(job, image)) {
    // A linked GIF can have more frames than the catalogue records.
    if (target.kind === 'animated' && !canAnimate(image, target)) continue;
    const bytes = await make(job, image, target);
    if (bytes === null) continue;
    await send({ type: 'output', output: { target, bytes } });
  }
  const frameFacts = job.frameFacts ? await readFrameFacts(image) : null;
  const pixels = await renderFrames(image, job.frames, job.frameSize);
  const { format, width, height, frames, durationMs, truncated } = image;
  return { facts: { format, width, height, frames, durationMs, truncated }, frameFacts, frames: pixels };
}

/** Returns null for a small video of an image that is not opaque. */
function make(job: Job, image: Inspected, target: Target): Promise<Uint8Array | null> {
  if (target.kind !== 'video') return render(image, target, sizeFor(job, image, target));
  if (!job.videoEncoder) throw new MediaRefusal('decoder_failed', 'no video encoder is available');
  if (target.fit === undefined) return renderVideo(image, job.videoEncoder);
  return renderSmallVideo(image, job.videoEncoder, sizeFor(job, image, target));
}

function targetsOf({ images }: Job, image: Inspected): readonly Target[] {
  if ('targets' in images) return images.targets;
  const targets = previewTargets(image, images.fits);
  return images.stillsOnly ? targets.filter(({ kind }) => kind === 'still') : targets;
}

/**
 * Returns the size for a target. An image of the declared size gets the target's size. Any other image keeps its
 * proportions and is fitted into the target.
 */
function sizeFor({ images }: Job, image: Size, target: Target): Size {
  const declared = 'of' in images ? images.of : image;
  if (declared.width === image.width && declared.height === image.height) return target;
  const scale = Math.min(1, target.width / image.width, target.height / image.height);
  return {
    width: Math.max(1, Math.round(image.width * scale)),
    height: Math.max(1, Math.round(image.height * scale)),
  };
}

function refusalOf(error: unknown): { reason: MediaRefusal['reason']; message: string } {
  if (error instanceof MediaRefusal) return { reason: error.reason, message: error.message };
  return { reason: 'decoder_failed', message: `the decoder failed: ${firstLine(error)}` };
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { rssBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1e6 };
}

function send(message: WorkerMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, (error: Error | null) => (error === null ? resolve() : reject(error)));
  });
}
