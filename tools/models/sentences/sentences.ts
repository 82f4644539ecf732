import { Graph } from '../graph.ts';
import { readPieces, readWeights, type Tensor } from './weights.ts';

/*
 * The Universal Sentence Encoder, lite (Cer et al. 2018), as an ONNX file. It consists of two layers of a transformer
 * (Vaswani et al. 2017), normalised before each part, the mean over the tokens, a dense layer with tanh, and scaling to
 * unit length.
 *
 * Its input is the tokens of several texts, one after the other, without padding. Reading the weights takes most of the
 * time for a short text, so they are read once for all texts. `share` assigns tokens to texts: the row of a text has 1
 * / (length of the text) for each of its tokens, and 0 elsewhere. Tokens of different texts do not influence each
 * other.
 */

const HEADS = 4;
const DIMENSIONS = 512;
/** Maximum number of tokens of a text. Further tokens are ignored. */
const MAX_TOKENS = 128;
const EPSILON = { float: 1e-6 };
/** A score so low that its exponential is 0, even after the largest score is subtracted. */
const UNSEEN = -1e9;

const PREFIX = 'module_apply_default/Encoder_en/KonaTransformer/Encode/';
const PARTS = 'ConcatPartitions/concat';

/**
 * Makes the file sentences.onnx. Inputs: `tokens`, the numbers of pieces; `places`, each token's place in its text;
 * `share`, texts x tokens. Output `vectors`: a unit vector of 512 numbers for each text.
 */
export function makeSentences(): Uint8Array {
  return new Encoder(readWeights()).write();
}

/** Makes the file sentences.json. It defines how a text becomes tokens, in the format of Hugging Face's tokenizers. */
export function makeTokenizer(): Uint8Array {
  const tokenizer = {
    version: '1.0',
    added_tokens: [],
    decoder: null,
    post_processor: null,
    normalizer: { type: 'NFKC' },
    pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always', split: false },
    model: { type: 'Unigram', unk_id: 0, vocab: readPieces() },
  };
  return Buffer.from(JSON.stringify(tokenizer));
}

class Encoder {
  readonly #graph = new Graph();
  readonly #weights: ReadonlyMap<string, Tensor>;

  constructor(weights: ReadonlyMap<string, Tensor>) {
    this.#weights = weights;
  }

  write(): Uint8Array {
    const graph = this.#graph;
    const pieces = graph.node('Gather', [this.#weight('module/Embeddings_en'), 'tokens']);
    // In training, the pieces were added twice: once alone, and once with their positions.
    let states = graph.node('Add', [pieces, graph.node('Add', [pieces, this.#timing()])]);
    const together = graph.node('MatMul', [graph.node('Transpose', ['share'], { perm: [1, 0] }), 'share']);
    const isSeen = graph.node('Greater', [together, graph.floats([0], [])]);
    states = this.#addLayer(0, states, isSeen);
    states = this.#addLayer(1, states, isSeen);
    const mean = graph.node('MatMul', ['share', states]);
    const hidden = 'module/Encoder_en/hidden_layers/tanh_layer_0/';
    const dense = graph.node('Gemm', [mean, this.#weight(`${hidden}weights`), this.#weight(`${hidden}bias`)]);
    graph.node('LpNormalization', [graph.node('Tanh', [dense])], { axis: 1, p: 2 }, 'vectors');
    return graph.finish(
      [
        { name: 'tokens', type: 'int64', shape: ['tokens'] },
        { name: 'places', type: 'int64', shape: ['tokens'] },
        { name: 'share', type: 'float', shape: ['texts', 'tokens'] },
      ],
      [{ name: 'vectors', type: 'float', shape: ['texts', DIMENSIONS] }],
    );
  }

  /** Returns the position signal (sines and cosines), one row for each token. */
  #timing(): string {
    const { values: frequencies } = this.#tensor(
      `${PREFIX}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`,
    );
    const rows = Array.from({ length: MAX_TOKENS }, (_, place) => [
      ...Array.from(frequencies, (frequency) => Math.sin(place * frequency)),
      ...Array.from(frequencies, (frequency) => Math.cos(place * frequency)),
    ]);
    const graph = this.#graph;
    const table = graph.floats(rows.flat(), [MAX_TOKENS, 2 * frequencies.length]);
    return graph.node('Gather', [table, 'places']);
  }

  #addLayer(layer: number, states: string, isSeen: string): string {
    const graph = this.#graph;
    const name = `${PREFIX}Layer_${layer}/TransformerLayer/`;
    // The first layer's output is wider than its input, so the residual input is widened.
    const past =
      layer === 0 ? this.#dense(states, `${name}dense/kernel/${PARTS}`, `${name}dense/bias/${PARTS}`) : states;
    const attention = this.#addAttention(layer, this.#normalise(states, name), isSeen);
    const attended = graph.node('Add', [past, attention]);
    return graph.node('Add', [attended, this.#addFeedForward(layer, this.#normalise(attended, `${name}FFN/`))]);
  }

  #addAttention(layer: number, states: string, isSeen: string): string {
    const graph = this.#graph;
    const name = `Encoder_en/KonaTransformer/Encode/Layer_${layer}/TransformerLayer/MultiheadAttention/`;
    const transform = (part: string, input: string): string =>
      this.#dense(input, `module/${name}${part}/kernel/part_0`, `module_apply_default/${name}${part}/bias/${PARTS}`);
    const all = transform('qkv_transform_single', states);
    const width = this.#tensor(`module/${name}output_transform_single/kernel/part_0`).shape[2]!;
    const head = width / HEADS;
    // tokens x (queries, keys, values) x heads x numbers
    const split = graph.node('Reshape', [all, graph.integers([-1, 3, HEADS, head])]);
    const part = (index: number, perm: readonly number[]): string => {
      const own = graph.node('Gather', [split, graph.integers([index])], { axis: 1 });
      const squeezed = graph.node('Squeeze', [own, graph.integers([1])]);
      return graph.node('Transpose', [squeezed], { perm });
    };
    const scale = graph.floats([1 / Math.sqrt(head)], []);
    const queries = graph.node('Mul', [part(0, [1, 0, 2]), scale]);
    const scores = graph.node('MatMul', [queries, part(1, [1, 2, 0])]);
    const seen = graph.node('Where', [isSeen, scores, graph.floats([UNSEEN], [])]);
    const weights = graph.node('Softmax', [seen], { axis: -1 });
    const heads = graph.node('MatMul', [weights, part(2, [1, 0, 2])]);
    const joined = graph.node('Transpose', [heads], { perm: [1, 0, 2] });
    return transform('output_transform_single', graph.node('Reshape', [joined, graph.integers([-1, width])]));
  }

  #addFeedForward(layer: number, states: string): string {
    const kernel = (part: string): string =>
      `${PREFIX}TransformerStack/Layer_${layer}/TransformerLayer/FFN/${part}/Tensordot/Reshape_1`;
    const bias = (part: string): string => `${PREFIX}Layer_${layer}/TransformerLayer/FFN/${part}/bias/${PARTS}`;
    const inner = this.#graph.node('Relu', [this.#dense(states, kernel('conv1'), bias('conv1'))]);
    return this.#dense(inner, kernel('conv2'), bias('conv2'));
  }

  #normalise(states: string, name: string): string {
    const norm = `${name}layer_prepostprocess/layer_norm/layer_norm_`;
    const inputs = [states, this.#weight(`${norm}scale/${PARTS}`), this.#weight(`${norm}bias/${PARTS}`)];
    return this.#graph.node('LayerNormalization', inputs, { axis: -1, epsilon: EPSILON });
  }

  #dense(states: string, kernel: string, bias: string): string {
    const { shape, values } = this.#tensor(kernel);
    const matrix = this.#graph.floats(values, shape.slice(-2));
    return this.#graph.node('Add', [this.#graph.node('MatMul', [states, matrix]), this.#weight(bias)]);
  }

  #weight(name: string): string {
    const { shape, values } = this.#tensor(name);
    return this.#graph.floats(values, shape);
  }

  #tensor(name: string): Tensor {
    const tensor = this.#weights.get(name);
    if (tensor === undefined) throw new Error(`weight ${name} is missing`);
    return tensor;
  }
}
