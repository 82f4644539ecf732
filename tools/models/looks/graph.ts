import { createRequire } from 'node:module';

/** The part of onnx-proto that is used; its own types are there only where the tools are installed. */
interface OnnxProto {
  readonly onnx: {
    readonly ModelProto: { create(model: object): unknown; encode(model: unknown): { finish(): Uint8Array } };
  };
}

// The numbers of these kinds in the ONNX format: TensorProto.DataType and AttributeProto.AttributeType.
const FLOAT = 1;
const UINT8 = 2;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;
const IR_VERSION = 8;
const OPERATOR_SET = 17;

/** What goes in or comes out; the first side is the number of pictures. */
export interface Port {
  readonly name: string;
  readonly type: 'uint8' | 'float';
  readonly shape: readonly number[];
}

/** Writes an ONNX model node by node. Every method that adds something gives the name of its output. */
export class Graph {
  readonly #nodes: object[] = [];
  readonly #constants: object[] = [];

  node(
    operator: string,
    inputs: readonly string[],
    attributes: Record<string, number | readonly number[]> = {},
    output = `t${this.#nodes.length}`,
  ): string {
    const attribute = Object.entries(attributes).map(([name, value]) =>
      typeof value === 'number'
        ? { name, type: ATTRIBUTE_INT, i: value }
        : { name, type: ATTRIBUTE_INTS, ints: [...value] },
    );
    this.#nodes.push({ opType: operator, input: [...inputs], output: [output], attribute });
    return output;
  }

  floats(values: Iterable<number>, shape: readonly number[]): string {
    return this.#constant(FLOAT, new Uint8Array(Float32Array.from(values).buffer), shape);
  }

  bytes(values: Uint8Array, shape: readonly number[]): string {
    return this.#constant(UINT8, values, shape);
  }

  /** The model's file. */
  finish(input: Port, outputs: readonly Port[]): Uint8Array {
    const { onnx } = createRequire(import.meta.url)('onnx-proto') as OnnxProto;
    const graph = {
      name: 'looks',
      node: this.#nodes,
      initializer: this.#constants,
      input: [describe(input)],
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

function describe({ name, type, shape }: Port): object {
  const dim = [{ dimParam: 'pictures' }, ...shape.map((side) => ({ dimValue: side }))];
  return { name, type: { tensorType: { elemType: type === 'uint8' ? UINT8 : FLOAT, shape: { dim } } } };
}
