import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { Matrix } from './matrix.ts';

/*
 * Ridge regression: the rows of a table whose weighted sums are nearest to given vectors. It is solved by the conjugate
 * gradient method with a diagonal preconditioner (Saad 2003, "Iterative Methods for Sparse Linear Systems", 9.2). The
 * columns do not depend on each other, so blocks of columns are solved at the same time.
 */

/** All arrays are in shared memory. */
export interface Problem {
  readonly matrix: Matrix;
  /** How much the error of each text counts. */
  readonly importance: Float32Array;
  /** The wanted vectors of all texts, row by row. */
  readonly wanted: Float32Array;
  readonly dimensions: number;
  /** How much the size of the rows counts. */
  readonly ridge: number;
  readonly steps: number;
}

interface Block extends Problem {
  readonly from: number;
  readonly to: number;
  /** Receives the columns of the table. */
  readonly table: Float32Array;
}

/** Columns that a thread solves at a time. */
const COLUMNS = 32;
/** Prevents a division by 0 in columns that are solved exactly. */
const TINY = 1e-12;

/** Returns the table, row by row. */
export async function solve(problem: Problem, threads: number): Promise<Float32Array> {
  const { dimensions, matrix } = problem;
  const table = new Float32Array(new SharedArrayBuffer(4 * matrix.count * dimensions));
  const starts = Array.from({ length: Math.ceil(dimensions / COLUMNS) }, (_, i) => i * COLUMNS);
  const work = async (): Promise<void> => {
    for (let from = starts.shift(); from !== undefined; from = starts.shift()) {
      await runBlock({ ...problem, table, from, to: Math.min(dimensions, from + COLUMNS) });
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return table;
}

function runBlock(block: Block): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: block });
    worker.once('error', reject);
    worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a solver ended with ${code}`))));
  });
}

function solveBlock({ table, dimensions, from, to, ...problem }: Block): void {
  const system = new System(problem, to - from);
  const residual = system.project(problem.wanted, dimensions, from);
  const solution = new Float32Array(residual.length);
  const direction = system.precondition(residual);
  const product = new Float32Array(residual.length);
  let size = system.dot(residual, direction);
  for (let step = 0; step < problem.steps; step++) {
    system.multiply(direction, product);
    const curvature = system.dot(direction, product);
    const rate = size.map((value, i) => value / (curvature[i]! + TINY));
    system.add(solution, direction, rate);
    system.add(
      residual,
      product,
      rate.map((value) => -value),
    );
    const next = system.precondition(residual);
    const nextSize = system.dot(residual, next);
    const turn = nextSize.map((value, i) => value / (size[i]! + TINY));
    system.add(next, direction, turn);
    direction.set(next);
    size = nextSize;
  }
  const width = to - from;
  for (let row = 0; row < problem.matrix.count; row++) {
    table.set(solution.subarray(row * width, (row + 1) * width), row * dimensions + from);
  }
}

/** The equations of some columns. Its vectors have a number for each row of the table and each column. */
class System {
  readonly #problem: Omit<Problem, 'dimensions'>;
  readonly #width: number;
  /** A number for each text and each column. */
  readonly #sums: Float32Array;
  readonly #diagonal: Float32Array;

  constructor(problem: Omit<Problem, 'dimensions'>, width: number) {
    const { matrix, importance, ridge } = problem;
    this.#problem = problem;
    this.#width = width;
    this.#sums = new Float32Array(importance.length * width);
    this.#diagonal = new Float32Array(matrix.count).fill(ridge);
    for (let n = 0; n < importance.length; n++) {
      for (let entry = matrix.starts[n]!; entry < matrix.starts[n + 1]!; entry++) {
        this.#diagonal[matrix.rows[entry]!]! += importance[n]! * matrix.weights[entry]! ** 2;
      }
    }
  }

  /** Returns the right side of the equations. */
  project(wanted: Float32Array, dimensions: number, from: number): Float32Array {
    const width = this.#width;
    for (let n = 0; n < this.#problem.importance.length; n++) {
      this.#sums.set(wanted.subarray(n * dimensions + from, n * dimensions + from + width), n * width);
    }
    const result = new Float32Array(this.#diagonal.length * width);
    this.#spread(result);
    return result;
  }

  /** Writes the product of the equations' matrix and a vector. */
  multiply(vector: Float32Array, product: Float32Array): void {
    const { ridge } = this.#problem;
    this.#gather(vector);
    for (let at = 0; at < vector.length; at++) product[at] = ridge * vector[at]!;
    this.#spread(product);
  }

  precondition(vector: Float32Array): Float32Array {
    const width = this.#width;
    const result = new Float32Array(vector.length);
    for (let row = 0, at = 0; row < this.#diagonal.length; row++) {
      for (let i = 0; i < width; i++, at++) result[at] = vector[at]! / this.#diagonal[row]!;
    }
    return result;
  }

  /** Returns the scalar product of each column. */
  dot(a: Float32Array, b: Float32Array): Float64Array {
    const sums = new Float64Array(this.#width);
    for (let at = 0; at < a.length; ) for (let i = 0; i < sums.length; i++, at++) sums[i]! += a[at]! * b[at]!;
    return sums;
  }

  /** Adds a multiple of `b` to `a`, with a factor for each column. */
  add(a: Float32Array, b: Float32Array, factors: Float64Array): void {
    for (let at = 0; at < a.length; ) for (let i = 0; i < factors.length; i++, at++) a[at]! += factors[i]! * b[at]!;
  }

  /** Computes the weighted sum of each text's rows. */
  #gather(vector: Float32Array): void {
    const { starts, rows, weights } = this.#problem.matrix;
    const [sums, width] = [this.#sums.fill(0), this.#width];
    for (let n = 0; n + 1 < starts.length; n++) {
      for (let entry = starts[n]!; entry < starts[n + 1]!; entry++) {
        const weight = weights[entry]!;
        const at = rows[entry]! * width;
        for (let i = 0; i < width; i++) sums[n * width + i]! += weight * vector[at + i]!;
      }
    }
  }

  /** Adds the sum of each text to the text's rows. */
  #spread(vector: Float32Array): void {
    const { matrix, importance } = this.#problem;
    const { starts, rows, weights } = matrix;
    const [sums, width] = [this.#sums, this.#width];
    for (let n = 0; n + 1 < starts.length; n++) {
      for (let entry = starts[n]!; entry < starts[n + 1]!; entry++) {
        const weight = importance[n]! * weights[entry]!;
        const at = rows[entry]! * width;
        for (let i = 0; i < width; i++) vector[at + i]! += weight * sums[n * width + i]!;
      }
    }
  }
}

if (!isMainThread) solveBlock(workerData as Block);
