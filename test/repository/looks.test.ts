import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openNetwork } from '../../packages/server/src/enrich/looks/network.ts';
import { type Layer, type Network, readNetwork, valuesOf } from '../../tools/models/looks/keras.ts';
import { makeLooks } from '../../tools/models/looks/looks.ts';
import { makeRating } from '../../tools/models/looks/rating.ts';

const SIDE = 224;

describe.skipIf(!fs.existsSync('tools/models/node_modules/nsfwjs'))('the network behind "similar"', () => {
  test('is the same each time it is made', () => {
    expect(Buffer.compare(makeLooks(), makeLooks())).toBe(0);
  });

  test('gives the same result as its layers computed one by one', async () => {
    const picture = noise(SIDE * SIDE * 3);
    const network = await openNetwork(makeLooks());
    const white = new Uint8Array(picture.length).fill(255);
    const found = await network([picture, white].map((pixels) => ({ side: SIDE, pixels })));
    const expected = evaluate(readNetwork('mobilenet_v2', 1), picture);
    expectClose(found.embedding.slice(0, 576), expected.get('block_13_expand_relu')!);
    expectClose(found.probs.slice(0, 5), expected.get('dense_3')!);
    expect(found.probs.slice(5).reduce((sum, value) => sum + value)).toBeCloseTo(1, 5);
  });
});

describe.skipIf(!fs.existsSync('tools/models/node_modules/nsfwjs'))('the second opinion of the rating', () => {
  test('gives the same result as the network it is converted from', async () => {
    const network = await openNetwork(makeRating());
    const found = await network([{ side: 299, pixels: blotchyPicture() }]);
    // tensorflow.js 4.22.0 computed these values from the same package. There are too many layers to compute the values
    // here.
    expectClose(found.probs, Float64Array.of(0.48795, 0.03747, 0.46305, 0.00876, 0.00277));
    expect(found.embedding).toHaveLength(0);
  });
});

/** Returns noise with a skin-coloured square. */
function blotchyPicture(): Uint8Array {
  const pixels = Uint8Array.from({ length: 299 * 299 * 3 }, (_, i) => Math.imul(i + 7, 2_654_435_761) >>> 24);
  for (let y = 61; y < 200; y++) {
    for (let x = 81; x < 220; x++) pixels.set([220, 170, 140], (y * 299 + x) * 3);
  }
  return pixels;
}

function expectClose(found: Float32Array, expected: Float64Array): void {
  expect(found).toHaveLength(expected.length);
  const worst = Math.max(...expected.map((value, i) => Math.abs(value - found[i]!)));
  expect(worst).toBeLessThan(1e-4);
}

/** Bytes that look random and are the same each time. Source: Marsaglia 2003, xorshift. */
function noise(length: number): Uint8Array {
  let state = 2463534242;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 255;
  });
}

/*
 * Computes the layers in their simplest form. Pictures are stored row by row with the channels last, and nothing is
 * folded.
 */

interface Picture {
  readonly side: number;
  readonly channels: number;
  readonly values: Float64Array;
}

/** Returns the mean of every layer's output over the picture, keyed by the layer's name. */
function evaluate({ layers, weights }: Network, bytes: Uint8Array): Map<string, Float64Array> {
  const outputs = new Map<string, Picture>();
  const input = { side: SIDE, channels: 3, values: Float64Array.from(bytes, (byte) => byte / 255) };
  for (const layer of layers) {
    const weight = (part: string) => {
      const tensor = weights.get(`${layer.name}/${part}`)!;
      return { shape: tensor.shape, values: valuesOf(tensor) };
    };
    const inputs = layer.inputs.map((name) => outputs.get(name)!);
    outputs.set(layer.name, layer.kind === 'InputLayer' ? input : apply(layer, inputs, weight));
  }
  return new Map([...outputs].map(([name, picture]) => [name, meanOf(picture)]));
}

type Weight = (part: string) => { shape: readonly number[]; values: Float64Array };

function apply(layer: Layer, [x, other]: Picture[], weight: Weight): Picture {
  const { config } = layer;
  const { side, channels, values } = x!;
  switch (layer.kind) {
    case 'ZeroPadding2D': {
      const [[before, after]] = config['padding'] as [[number, number]];
      return pad(x!, before, after);
    }
    case 'Conv2D':
      return convolve(samePadded(layer, x!), weight('kernel'), (config['strides'] as number[])[0]!);
    case 'DepthwiseConv2D':
      return convolveChannels(samePadded(layer, x!), weight('depthwise_kernel'), (config['strides'] as number[])[0]!);
    case 'BatchNormalization': {
      const [gamma, beta, mean, variance] = ['gamma', 'beta', 'moving_mean', 'moving_variance'].map(
        (part) => weight(part).values,
      ) as [Float64Array, Float64Array, Float64Array, Float64Array];
      const normalised = values.map((value, i) => {
        const c = i % channels;
        return (gamma[c]! * (value - mean[c]!)) / Math.sqrt(variance[c]! + Number(config['epsilon'])) + beta[c]!;
      });
      return { side, channels, values: normalised };
    }
    case 'ReLU':
      return { side, channels, values: values.map((value) => Math.min(6, Math.max(0, value))) };
    case 'Add':
      return { side, channels, values: values.map((value, i) => value + other!.values[i]!) };
    case 'AveragePooling2D':
      return { side: 1, channels, values: meanOf(x!) };
    case 'Dense':
      return dense(layer, values, weight);
    default:
      return x!; // dropout, and flatten of a single position, change nothing
  }
}

function meanOf({ side, channels, values }: Picture): Float64Array {
  const mean = new Float64Array(channels);
  for (let i = 0; i < values.length; i++) mean[i % channels]! += values[i]! / (side * side);
  return mean;
}

function pad({ side, channels, values }: Picture, before: number, after: number): Picture {
  const wide = side + before + after;
  const padded = new Float64Array(wide * wide * channels);
  for (let y = 0; y < side; y++) {
    const row = values.subarray(y * side * channels, (y + 1) * side * channels);
    padded.set(row, ((y + before) * wide + before) * channels);
  }
  return { side: wide, channels, values: padded };
}

/** Pads as TensorFlow's "same" does: with as many zeros as the last step needs. An odd zero is below and right. */
function samePadded({ config }: Layer, x: Picture): Picture {
  if (config['padding'] !== 'same') return x;
  const stride = (config['strides'] as number[])[0]!;
  const kernel = (config['kernel_size'] as number[])[0]!;
  const zeros = Math.max(0, (Math.ceil(x.side / stride) - 1) * stride + kernel - x.side);
  return pad(x, Math.floor(zeros / 2), Math.ceil(zeros / 2));
}

function convolve(x: Picture, kernel: ReturnType<Weight>, stride: number): Picture {
  const [size, , inner, outer] = kernel.shape as [number, number, number, number];
  const side = Math.floor((x.side - size) / stride) + 1;
  const values = new Float64Array(side * side * outer);
  for (let y = 0; y < side; y++) {
    for (let at = 0; at < side; at++) {
      const out = values.subarray((y * side + at) * outer, (y * side + at + 1) * outer);
      for (let ky = 0; ky < size; ky++) {
        for (let kx = 0; kx < size; kx++) {
          const from = ((y * stride + ky) * x.side + at * stride + kx) * inner;
          for (let i = 0; i < inner; i++) {
            const value = x.values[from + i]!;
            const row = ((ky * size + kx) * inner + i) * outer;
            if (value !== 0) for (let o = 0; o < outer; o++) out[o]! += value * kernel.values[row + o]!;
          }
        }
      }
    }
  }
  return { side, channels: outer, values };
}

function convolveChannels(x: Picture, kernel: ReturnType<Weight>, stride: number): Picture {
  const [size, , channels] = kernel.shape as [number, number, number];
  const side = Math.floor((x.side - size) / stride) + 1;
  const values = new Float64Array(side * side * channels);
  for (let i = 0; i < values.length; i++) {
    const c = i % channels;
    const at = Math.floor(i / channels) % side;
    const y = Math.floor(i / (channels * side));
    for (let ky = 0; ky < size; ky++) {
      for (let kx = 0; kx < size; kx++) {
        const from = ((y * stride + ky) * x.side + at * stride + kx) * channels + c;
        values[i]! += x.values[from]! * kernel.values[(ky * size + kx) * channels + c]!;
      }
    }
  }
  return { side, channels, values };
}

function dense({ config }: Layer, values: Float64Array, weight: Weight): Picture {
  const { shape, values: kernel } = weight('kernel');
  const outer = shape[1]!;
  const sums = weight('bias').values.map((bias, o) =>
    values.reduce((sum, value, i) => sum + value * kernel[i * outer + o]!, bias),
  );
  if (config['activation'] === 'relu') return { side: 1, channels: outer, values: sums.map((sum) => Math.max(0, sum)) };
  const powers = sums.map(Math.exp);
  const total = powers.reduce((sum, power) => sum + power);
  return { side: 1, channels: outer, values: powers.map((power) => power / total) };
}
