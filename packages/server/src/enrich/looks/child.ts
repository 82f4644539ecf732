import os from 'node:os';
import { describeFrames } from './descriptor.ts';
import { FRAME_BYTES, FRAME_SIDE, type Frame } from './frame.ts';
import { type Network, openNetwork } from './network.ts';
import type { Reply, Request } from './protocol.ts';

// The entry point of the process that looks at frames, at low priority: searches go before it. Its argument is the
// network's file.

/** A process without its service has no reason to live. */
const die = (): boolean => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', die);
if (!process.connected) die();
// A signal to the whole group (Ctrl-C) is for the service, which ends this process itself.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
openNetwork(process.argv[2]!).then(serve, (error: unknown) => send({ type: 'broken', message: messageOf(error) }));

function serve(network: Network): void {
  process.on('message', ({ frames }: Request) => {
    describe(network, frames)
      .then((descriptor) => send({ type: 'described', descriptor }))
      .catch((error: unknown) => send({ type: 'failed', message: messageOf(error) }));
  });
  send({ type: 'loaded' });
}

function describe(network: Network, pixels: Uint8Array): Promise<Float32Array> {
  const frames: Frame[] = [];
  for (let at = 0; at < pixels.length; at += FRAME_BYTES) {
    frames.push({ side: FRAME_SIDE, pixels: pixels.subarray(at, at + FRAME_BYTES) });
  }
  return describeFrames(frames, async (pictures) => {
    const { embedding } = await network(pictures);
    const numbers = embedding.length / pictures.length;
    return pictures.map((_, i) => embedding.subarray(i * numbers, (i + 1) * numbers));
  });
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

function send(reply: Reply): void {
  process.send?.(reply);
}
