import { createRequire } from 'node:module';

/** The part of onnx-proto that is used here. The package's own types are missing if the tools are not installed. */
interface OnnxProto {
  readonly onnx: {
    readonly ModelProto: { create(model: object): unknown; encode(model: unknown): { finish(): Uint8Array } };
  };
}

// Values from the ONNX format: TensorProto.DataType and AttributeProto.AttributeType.
const TYPES = { float: 1, uint8: 2, int64: 7 };
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;
const IR_VERSION = 8;
const OPERATOR_SET = 17;

/** An input or output of the network. */
export interface Port {
  readonly name: string;
  readonly type: keyof typeof TYPES;
  /** A dimension of variable length has a name instead of a number. */
  readonly shape: readonly (number | string)[];
}

/** An attribute of an operator: one or more integers, or one float. */
export type Attribute = number | readonly number[] | { readonly float: number };

/** Writes an ONNX model node by node. Every method that adds a node or a constant returns the name of its output. */
export class Graph {
  readonly #nodes: object[] = [];
  readonly #constants: object[] = [];

  node(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, Attribute> = {},
    output = `t${this.#nodes.length}`,
  ): string {
    const attribute = Object.entries(attributes).map(([name, value]) => toAttribute(name, value));
    this.#nodes.push({ opType: operator, input: [...inputs], output: [output], attribute });
    return output;
  }

  floats(values: Iterable<number>, shape: readonly number[]): string {
    return this.#constant(TYPES.float, new Uint8Array(Float32Array.from(values).buffer), shape);
  }

  bytes(values: Uint8Array, shape: readonly number[]): string {
    return this.#constant(TYPES.uint8, values, shape);
  }

  integers(values: readonly number[]): string {
    const bytes = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    return this.#constant(TYPES.int64, bytes, [values.length]);
  }

  /** Returns the model's file. */
  finish(inputs: readonly Port[], outputs: readonly Port[]): Uint8Array {
    const { onnx } = createRequire(import.meta.url)('onnx-proto') as OnnxProto;
    const graph = {
      name: 'network',
      node: this.#nodes,
      initializer: this.#constants,
      input: inputs.map(describe),
      output: outputs.map(describe),
    };
    const opsetImport = [{ domain: '', version: OPERATOR_SET }];
    return onnx.ModelProto.encode(onnx.ModelProto.create({ irVersion: IR_VERSION, opsetImport, graph })).finish();
  }

  #constant(dataType: number, rawData: Uint8Array, shape: readonly number[]): string {
    const name = `c${this.#constants.length}`;
    this.#constants.push({ name, dims: [...shape], dataType, rawData });
    return name;
  }
}

function toAttribute(name: string, value: Attribute): object {
  if (typeof value === 'number') return { name, type: ATTRIBUTE_INT, i: value };
  if ('float' in value) return { name, type: ATTRIBUTE_FLOAT, f: value.float };
  return { name, type: ATTRIBUTE_INTS, ints: [...value] };
}

function describe({ name, type, shape }: Port): object {
  const dim = shape.map((side) => (typeof side === 'number' ? { dimValue: side } : { dimParam: side }));
  return { name, type: { tensorType: { elemType: TYPES[type], shape: { dim } } } };
}
