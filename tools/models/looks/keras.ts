import { createRequire } from 'node:module';

/*
 * nsfwjs contains its networks as JavaScript modules. The layers are in Keras's format, and the weights are in base64.
 * Each weight is one byte. Each tensor also has its smallest value, and the step between two byte values.
 */

/** The path of the models, because the package does not export its models. */
const FOLDER = '../node_modules/nsfwjs/dist/models';

export interface Layer {
  readonly name: string;
  readonly kind: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Names of the layers whose outputs are the inputs of this layer. */
  readonly inputs: readonly string[];
}

/** Value i is min + scale * bytes[i]. The last axis runs fastest. */
export interface QuantisedTensor {
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  readonly scale: number;
  readonly min: number;
}

export interface Network {
  /** The layers, ordered so that every layer comes after its inputs. */
  readonly layers: readonly Layer[];
  /** The weights, keyed by the names of layer and weight: `Conv1/kernel`. */
  readonly weights: ReadonlyMap<string, QuantisedTensor>;
}

interface BundledModel {
  readonly modelTopology: { readonly model_config: { readonly config: { readonly layers: readonly BundledLayer[] } } };
  readonly weightsManifest: readonly { readonly weights: readonly BundledWeight[] }[];
}

interface BundledLayer {
  readonly name: string;
  readonly class_name: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly inbound_nodes: readonly (readonly (readonly [string, ...unknown[]])[])[];
}

interface BundledWeight {
  readonly name: string;
  readonly shape: readonly number[];
  readonly quantization: { readonly min: number; readonly scale: number; readonly dtype: string };
}

/** Reads a network from its folder in nsfwjs. Throws an Error if its weights do not have the layout described above. */
export function readNetwork(name: 'mobilenet_v2' | 'inception_v3', shards: number): Network {
  const require = createRequire(import.meta.url);
  const model = require(`${FOLDER}/${name}/model.min.js`) as BundledModel;
  const parts = Array.from({ length: shards }, (_, i) => {
    const part = require(`${FOLDER}/${name}/group1-shard${i + 1}of${shards}.min.js`) as string;
    return Buffer.from(part, 'base64');
  });
  const shard = Buffer.concat(parts);
  return {
    layers: model.modelTopology.model_config.config.layers.map((layer) => ({
      name: layer.name,
      kind: layer.class_name,
      config: layer.config,
      inputs: layer.inbound_nodes.flat().map(([name]) => name),
    })),
    weights: readWeights(model.weightsManifest[0]!.weights, shard),
  };
}

function readWeights(weights: readonly BundledWeight[], shard: Uint8Array): Map<string, QuantisedTensor> {
  const found = new Map<string, QuantisedTensor>();
  let at = 0;
  for (const { name, shape, quantization } of weights) {
    if (quantization.dtype !== 'uint8') throw new Error(`weight ${name} is not stored in bytes`);
    const length = shape.reduce((product, side) => product * side, 1);
    found.set(name, {
      shape,
      bytes: shard.subarray(at, at + length),
      scale: quantization.scale,
      min: quantization.min,
    });
    at += length;
  }
  if (at !== shard.length) throw new Error(`the weights are ${at} bytes, their file is ${shard.length}`);
  return found;
}

/** Returns a tensor's numbers. */
export function valuesOf({ bytes, scale, min }: QuantisedTensor): Float64Array {
  return Float64Array.from(bytes, (byte) => min + scale * byte);
}
