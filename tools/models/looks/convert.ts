import { Graph, type Port } from '../graph.ts';
import { type Layer, type Network, type QuantisedTensor, valuesOf } from './keras.ts';

/*
 * Converts networks from nsfwjs to ONNX files. Each weight stays one byte, as in its source, until the file is loaded.
 * Batch normalisation is folded into the preceding convolution:
 *
 *   y = gamma (conv(x) - mean) / sqrt(variance + epsilon) + beta = conv'(x) + shift,  conv' = conv * factor
 *   factor = gamma / sqrt(variance + epsilon),  shift = beta - factor * mean       (Ioffe & Szegedy 2015)
 */

const CLASSES = 5;

/** A second output: the mean of each channel of a layer over the picture. */
export interface Embedding {
  readonly layer: string;
  readonly numbers: number;
}

/**
 * Returns a network's file. Input `image`: pictures x side x side x 3, RGB in bytes. Outputs: `probs`, pictures x 5
 * (drawing, hentai, neutral, porn, sexy; they add up to 1), and `embedding`, if one is requested: pictures x its
 * numbers. Throws an Error if the network has a layer of an unknown kind.
 */
export function convert(network: Network, side: number, embedding?: Embedding): Uint8Array {
  return new Converter(network).convert(side, embedding);
}

class Converter {
  readonly #graph = new Graph();
  readonly #network: Network;
  /** The name of each layer's output in the graph. */
  readonly #outputs = new Map<string, string>();

  constructor(network: Network) {
    this.#network = network;
  }

  convert(side: number, embedding: Embedding | undefined): Uint8Array {
    const { layers } = this.#network;
    for (const layer of layers) this.#outputs.set(layer.name, this.#add(layer));
    const outputs: Port[] = [{ name: 'probs', type: 'float', shape: ['pictures', CLASSES] }];
    this.#graph.node('Identity', [this.#outputs.get(layers.at(-1)!.name)!], {}, 'probs');
    if (embedding !== undefined) {
      const spatial = { axes: [2, 3], keepdims: 0 };
      this.#graph.node('ReduceMean', [this.#outputs.get(embedding.layer)!], spatial, 'embedding');
      outputs.push({ name: 'embedding', type: 'float', shape: ['pictures', embedding.numbers] });
    }
    return this.#graph.finish([{ name: 'image', type: 'uint8', shape: ['pictures', side, side, 3] }], outputs);
  }

  /** Adds a layer. @returns the name of its output */
  #add(layer: Layer): string {
    const graph = this.#graph;
    const inputs = layer.inputs.map((name) => this.#outputs.get(name)!);
    switch (layer.kind) {
      case 'InputLayer': {
        const numbers = graph.node('Cast', ['image'], { to: 1 });
        const scaled = graph.node('Div', [numbers, graph.floats([255], [])]);
        return graph.node('Transpose', [scaled], { perm: [0, 3, 1, 2] });
      }
      case 'Conv2D':
      case 'DepthwiseConv2D':
        return this.#addConvolution(layer, inputs[0]!);
      case 'ReLU':
        return graph.node('Clip', [
          inputs[0]!,
          graph.floats([0], []),
          graph.floats([Number(layer.config['max_value'])], []),
        ]);
      case 'Activation':
        if (layer.config['activation'] !== 'relu') throw new Error(`layer ${layer.name} is not a rectifier`);
        return graph.node('Relu', inputs);
      case 'Add':
        return graph.node('Add', inputs);
      case 'Concatenate':
        return graph.node('Concat', inputs, { axis: 1 });
      case 'MaxPooling2D':
        return graph.node('MaxPool', inputs, this.#window(layer));
      case 'AveragePooling2D':
        // The window of the last pooling layer is the whole remaining picture.
        if (this.#after(layer)?.kind === 'Flatten') return graph.node('GlobalAveragePool', inputs);
        return graph.node('AveragePool', inputs, this.#window(layer)); // zeros beyond the edge do not count
      case 'Flatten':
        return graph.node('Flatten', inputs);
      case 'Dense':
        return this.#addDense(layer, inputs[0]!);
      case 'ZeroPadding2D': // done by the convolution after it
      case 'BatchNormalization': // folded into the convolution before it
      case 'Dropout': // used only in training
        return inputs[0]!;
      default:
        throw new Error(`layer ${layer.name} is of an unknown kind: ${layer.kind}`);
    }
  }

  #after({ name }: Layer): Layer | undefined {
    return this.#network.layers.find(({ inputs }) => inputs[0] === name);
  }

  #window(layer: Layer): Record<string, number[]> {
    const [height, width] = layer.config['pool_size'] as [number, number];
    return {
      kernel_shape: [height, width],
      strides: layer.config['strides'] as number[],
      pads: this.#zeros(layer, [height, width]),
    };
  }

  #addConvolution(layer: Layer, input: string): string {
    const depthwise = layer.kind === 'DepthwiseConv2D';
    const kernel = this.#weight(layer, depthwise ? 'depthwise_kernel' : 'kernel');
    const [height, width, inner, outer] = kernel.shape as [number, number, number, number];
    const channels = depthwise ? inner : outer;
    const { factor, shift } = this.#normalisation(layer, channels);
    const perChannel = [channels, 1, 1, 1];
    // Keras puts the channels last, ONNX first: height x width x in x out becomes out x in x height x width. A
    // depthwise kernel has one input for each of its channels.
    const order = depthwise ? [inner * outer, 1, height, width] : [outer, inner, height, width];
    const bytes = this.#graph.bytes(transpose(kernel.bytes, height * width, channels), order);
    const steps = this.#graph.floats(
      factor.map((value) => value * kernel.scale),
      perChannel,
    );
    const least = this.#graph.floats(
      factor.map((value) => value * kernel.min),
      perChannel,
    );
    const weights = this.#dequantised(bytes, steps, least);
    return this.#graph.node('Conv', [input, weights, this.#graph.floats(shift, [channels])], {
      kernel_shape: [height, width],
      strides: layer.config['strides'] as number[],
      pads: this.#padding(layer),
      group: depthwise ? channels : 1,
    });
  }

  #addDense(layer: Layer, input: string): string {
    const kernel = this.#weight(layer, 'kernel');
    const bias = this.#weight(layer, 'bias');
    const [steps, least] = [kernel.scale, kernel.min].map((value) => this.#graph.floats([value], [])) as [
      string,
      string,
    ];
    const weights = this.#dequantised(this.#graph.bytes(kernel.bytes, kernel.shape), steps, least);
    const sum = this.#graph.node('Gemm', [input, weights, this.#graph.floats(valuesOf(bias), bias.shape)]);
    if (layer.config['activation'] === 'relu') return this.#graph.node('Relu', [sum]);
    return this.#graph.node('Softmax', [sum], { axis: 1 });
  }

  #dequantised(bytes: string, steps: string, least: string): string {
    const numbers = this.#graph.node('Cast', [bytes], { to: 1 });
    return this.#graph.node('Add', [this.#graph.node('Mul', [numbers, steps]), least]);
  }

  /** Returns the factor and shift of each channel, from the normalisation that follows a convolution. */
  #normalisation({ name }: Layer, channels: number): { factor: number[]; shift: number[] } {
    const layer = this.#network.layers.find(({ kind, inputs }) => kind === 'BatchNormalization' && inputs[0] === name);
    if (layer === undefined) throw new Error(`no normalisation follows layer ${name}`);
    const [beta, mean, variance] = ['beta', 'moving_mean', 'moving_variance'].map((part) =>
      valuesOf(this.#weight(layer, part)),
    ) as [Float64Array, Float64Array, Float64Array];
    const gamma = layer.config['scale'] ? valuesOf(this.#weight(layer, 'gamma')) : new Float64Array(channels).fill(1);
    const epsilon = Number(layer.config['epsilon']);
    const factor = Array.from({ length: channels }, (_, c) => gamma[c]! / Math.sqrt(variance[c]! + epsilon));
    return { factor, shift: factor.map((value, c) => beta[c]! - value * mean[c]!) };
  }

  /**
   * Returns the zeros above, left of, below and right of the picture. In these networks, "same" occurs only with step
   * 1, where it means half the kernel on each side. For step 2, the network has an explicit layer of zeros, more below
   * than above.
   */
  #padding(layer: Layer): number[] {
    const before = this.#network.layers.find(({ name }) => name === layer.inputs[0]);
    if (before?.kind === 'ZeroPadding2D') {
      const [[top, bottom], [left, right]] = before.config['padding'] as [[number, number], [number, number]];
      return [top, left, bottom, right];
    }
    return this.#zeros(layer, layer.config['kernel_size'] as [number, number]);
  }

  #zeros(layer: Layer, [height, width]: [number, number]): number[] {
    if (layer.config['padding'] === 'valid') return [0, 0, 0, 0];
    const strides = layer.config['strides'] as number[];
    if (strides.some((step) => step !== 1)) throw new Error(`layer ${layer.name} has an unknown padding`);
    return [height >> 1, width >> 1, height >> 1, width >> 1];
  }

  #weight({ name }: Layer, part: string): QuantisedTensor {
    const weight = this.#network.weights.get(`${name}/${part}`);
    if (weight === undefined) throw new Error(`weight ${name}/${part} is missing`);
    return weight;
  }
}

/** Reorders the values of places x inputs x channels. After that, places run fastest and channels slowest. */
function transpose(bytes: Uint8Array, places: number, channels: number): Uint8Array {
  const inputs = bytes.length / (places * channels);
  const out = new Uint8Array(bytes.length);
  for (let place = 0; place < places; place++) {
    for (let input = 0; input < inputs; input++) {
      for (let channel = 0; channel < channels; channel++) {
        out[(channel * inputs + input) * places + place] = bytes[(place * inputs + input) * channels + channel]!;
      }
    }
  }
  return out;
}
