import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { SearchMode } from '../../packages/contract/src/index.ts';
import { SETS } from '../questions/sets.ts';
import { SPLITS, type Split } from '../questions/split.ts';

const MODES: readonly SearchMode[] = ['auto', 'text', 'semantic'];

export const USAGE = `npm run eval -- [options]: how well does the service find what people look for?

  --data DIR        folder of the relevance sets (default: $ZOETROPE_TEST_DATA/eval, else ../shared/data/eval)
  --catalogue FILE  manifest to search in (default: catalogue.jsonl.gz beside the folder)
  --filler FILE     photo captions to ingest, too; without them, the set of photos is omitted
  --server URL      use a service that is already running, instead of starting one
  --store DIR       keep the data folder and use it again next time (its index is rebuilt)
  --split NAME      ${SPLITS.join(', ')} (default: dev)
  --mode A,B        ${MODES.join(', ')} (default: auto,text)
  --sets A,B        ${SETS.map(({ name }) => name).join(', ')} (default: all)
  --embedder NAME   the service's embedder, for the report and for gates that depend on it
  --json FILE       write the figures as JSON
  --write           write eval/last.json and docs/quality.md
  --no-gate         succeed whatever the figures are`;

export interface Options {
  data: string;
  catalogue: string;
  filler: string | undefined;
  server: string | undefined;
  store: string | undefined;
  split: Split;
  modes: SearchMode[];
  sets: string[];
  embedder: string | undefined;
  json: string | undefined;
  write: boolean;
  gate: boolean;
  help: boolean;
}

/** @throws Error naming the option that is wrong */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      ...{ data: { type: 'string' }, catalogue: { type: 'string' }, filler: { type: 'string' } },
      ...{ server: { type: 'string' }, store: { type: 'string' }, json: { type: 'string' } },
      ...{ split: { type: 'string', default: 'dev' }, mode: { type: 'string', default: 'auto,text' } },
      ...{ sets: { type: 'string', default: SETS.map(({ name }) => name).join() }, embedder: { type: 'string' } },
      ...{ write: { type: 'boolean', default: false }, gate: { type: 'boolean', default: true } },
      help: { type: 'boolean', default: false },
    },
  });
  const data = values.data ?? defaultData(env);
  if (!fs.existsSync(data) && !values.help) throw new Error(`--data: there is no folder ${data}`);
  return {
    data,
    catalogue: values.catalogue ?? path.join(path.dirname(path.resolve(data)), 'catalogue.jsonl.gz'),
    filler: values.filler,
    server: values.server,
    store: values.store,
    split: oneOf('--split', [values.split], SPLITS)[0]!,
    modes: oneOf('--mode', values.mode.split(','), MODES),
    sets: oneOf(
      '--sets',
      values.sets.split(','),
      SETS.map(({ name }) => name),
    ),
    embedder: values.embedder,
    json: values.json,
    write: values.write,
    gate: values.gate,
    help: values.help,
  };
}

/** Returns the command that repeats a run, without the paths of its files. */
export function commandOf({ split, modes, sets, filler, embedder }: Options): string {
  const parts = ['npm run eval --', `--split ${split}`, `--mode ${modes.join()}`];
  if (sets.length < SETS.length) parts.push(`--sets ${sets.join()}`);
  if (filler) parts.push(`--filler ${path.basename(filler)}`);
  if (embedder) parts.push(`--embedder ${embedder}`);
  return parts.join(' ');
}

function defaultData(env: NodeJS.ProcessEnv): string {
  const folder = env['ZOETROPE_TEST_DATA'];
  return folder ? path.join(folder, 'eval') : path.join('..', 'shared', 'data', 'eval');
}

function oneOf<Name extends string>(option: string, given: string[], known: readonly Name[]): Name[] {
  const wrong = given.find((name) => !(known as readonly string[]).includes(name));
  if (wrong !== undefined) throw new Error(`${option}: ${wrong} is not one of ${known.join(', ')}`);
  return known.filter((name) => given.includes(name));
}
