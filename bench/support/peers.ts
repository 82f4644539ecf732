import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

/*
 * Other search libraries, in their own languages. If a library is not installed, it is skipped, and its name is
 * printed. To install the libraries:
 *
 *   python3 -m venv PLACE && PLACE/bin/pip install -r tools/bench/requirements.txt     then set BENCH_PYTHON
 *   mvn -q -f tools/bench/pom.xml dependency:copy-dependencies                         needs Java 21 or newer
 */

const PROGRAMS = path.join(import.meta.dirname, '../peers');
const JARS = path.join(import.meta.dirname, '../../tools/bench/target/dependency');
const PYTHON = process.env['BENCH_PYTHON'] ?? 'python3';
const OLDEST_JAVA = 21;
const MAX_OUTPUT = 64 << 20;

/** Milliseconds of each query, as the median over some rounds. */
export interface PeerTimes {
  medians: number[];
}

export interface WordsPeer extends PeerTimes {
  engine: string;
  /** Seconds for writing the index. */
  seconds: number;
  bytes: number;
}

export interface VectorsPeer extends PeerTimes {
  engine: string;
  /** Numbers of the vectors that were found: queries × limit numbers, with −1 in the unused places. */
  found: Int32Array;
}

/** The lines that a peer prints, or the reason why the peer is skipped. */
type Outcome = { lines: unknown[] } | { skipped: string };

export interface WordsOrder {
  /** File with one document per line. */
  documents: string;
  /** File with one query per line. */
  queries: string;
  limit: number;
  rounds: number;
  folder: string;
}

/** Measures Lucene and tantivy, one after the other. Prints the names of skipped libraries. */
export function timeWords(order: WordsOrder): WordsPeer[] {
  const { documents, queries, limit, rounds, folder } = order;
  const args = (name: string) => [documents, queries, path.join(folder, name), String(limit), String(rounds)];
  return [
    ...told('Lucene', runJava('Lucene.java', args('lucene'))),
    ...told('tantivy', runPython('tantivy', 'tantivy_words.py', args('tantivy'))),
    ...told('PostgreSQL BM25', { skipped: 'Debian has no extension for BM25' }),
  ].map(({ engine, line }) => ({ engine, ...(line as Omit<WordsPeer, 'engine'>) }));
}

export interface VectorsOrder {
  /** File of 32-bit floats. */
  vectors: string;
  /** File of 32-bit floats. */
  queries: string;
  dimensions: number;
  limit: number;
  rounds: number;
  folder: string;
}

/** Measures faiss, hnswlib and usearch with several settings each. Prints the names of skipped libraries. */
export function timeVectors(order: VectorsOrder): VectorsPeer[] {
  const { vectors, queries, dimensions, limit, rounds, folder } = order;
  return ['faiss', 'hnswlib', 'usearch'].flatMap((library) => {
    const args = [library, vectors, queries, String(dimensions), String(limit), String(rounds), folder];
    const [first, ...rest] = told(library, runPython(library, 'vectors.py', args));
    const version = (first?.line as { version: string } | undefined)?.version;
    return rest.map(({ line }) => {
      const { setting, file, medians } = line as { setting: string; file: string; medians: number[] };
      const bytes = fs.readFileSync(file);
      const found = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
      return { engine: `${library} ${version}, ${setting}`, medians, found };
    });
  });
}

function told(engine: string, outcome: Outcome): { engine: string; line: unknown }[] {
  if ('skipped' in outcome) console.log(`skipped: ${engine} (${outcome.skipped})`);
  return 'lines' in outcome ? outcome.lines.map((line) => ({ engine, line })) : [];
}

function runPython(module: string, program: string, args: readonly string[]): Outcome {
  const { status } = spawnSync(PYTHON, ['-c', `import ${module}`], { stdio: 'ignore' });
  if (status !== 0) return { skipped: `${PYTHON} has no module ${module}; see bench/support/peers.ts` };
  return runProgram(PYTHON, [path.join(PROGRAMS, program), ...args]);
}

function runJava(program: string, args: readonly string[]): Outcome {
  const java = findJava();
  if (java === undefined) return { skipped: `no Java ${OLDEST_JAVA} or newer; set JAVA_HOME` };
  if (!fs.existsSync(JARS)) return { skipped: 'its library is not installed; see bench/support/peers.ts' };
  // Without this module, Lucene does not use the processor's wide registers.
  const flags = ['--add-modules', 'jdk.incubator.vector', '-Xmx4g', '-cp', path.join(JARS, '*')];
  return runProgram(java, [...flags, path.join(PROGRAMS, program), ...args]);
}

function runProgram(program: string, args: readonly string[]): Outcome {
  const { stdout, stderr, status } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: MAX_OUTPUT });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stderr}`);
  return {
    lines: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

/** Returns the first Java that is new enough: from JAVA_HOME, on the path, or in the usual folder of Linux. */
function findJava(): string | undefined {
  const home = process.env['JAVA_HOME'];
  const usual = fs.globSync('/usr/lib/jvm/*/bin/java');
  return [...(home ? [path.join(home, 'bin', 'java')] : []), 'java', ...usual].find((java) => {
    const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
    return Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0) >= OLDEST_JAVA;
  });
}
