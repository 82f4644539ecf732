import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../base/errors.ts';

const folder = new URL('../../../models/', import.meta.url);
const tables = new URL('../../../tables/', import.meta.url);

/** Advice for operators about a damaged file. */
export const MODELS_ADVICE =
  'In a clone, delete the folder packages/server/models and run `npm start`, which recreates it. In an installed package, install the package again';

/** Advice for operators about a missing or damaged table. */
export const TABLES_ADVICE =
  'In a clone, run `git checkout -- packages/server/tables`. An installed package must be installed again';

/** This file exists in the folder while `npm start` is still making the files that take a long time. */
const MAKING = '.making';
/** Time between two checks whether a file has been made. */
const LOOK_MS = 500;

/** Returns whether a file is missing because `npm start` is still making it. */
export function isBeingMade(name: string): boolean {
  return !fs.existsSync(new URL(name, folder)) && fs.existsSync(new URL(MAKING, folder));
}

/**
 * Returns the path of a file, after it has been made. @throws OperatorError if the file is missing and `npm start` is
 * not making it
 */
export async function modelFileSoon(name: string): Promise<string> {
  while (isBeingMade(name)) await wait(LOOK_MS);
  return modelFile(name);
}

/**
 * Returns the bytes of a file that `modelFile` finds, in shared memory. They are read once. @throws OperatorError if the file is missing
 */
export function readModel(name: string): Uint8Array {
  return readShared(modelFile(name));
}

/**
 * Returns the bytes of a file in packages/server/tables, in shared memory. They are read once. These files are part of the repository and of
 * the archive. @throws OperatorError if the file is missing
 */
export function readTable(name: string): Uint8Array {
  const file = fileURLToPath(new URL(name, tables));
  if (fs.existsSync(file)) return readShared(file);
  throw new OperatorError(`The file ${file} is missing. ${TABLES_ADVICE}`);
}

/** The bytes of each file that was read. */
const inMemory = new Map<string, Uint8Array>();

function readShared(file: string): Uint8Array {
  const bytes = inMemory.get(file) ?? readFile(file);
  inMemory.set(file, bytes);
  return bytes;
}

function readFile(file: string): Uint8Array {
  const handle = fs.openSync(file, 'r');
  try {
    const shared = new Uint8Array(new SharedArrayBuffer(fs.fstatSync(handle).size));
    for (let at = 0; at < shared.length; ) {
      const read = fs.readSync(handle, shared, at, shared.length - at, null);
      if (read === 0) throw new Error(`${file} became shorter while it was read`);
      at += read;
    }
    return shared;
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Returns the absolute path of a file in packages/server/models, which tools/models creates ("languages.bin",
 * "sentences.onnx"). Throws OperatorError if the file is missing.
 */
export function modelFile(name: string): string {
  const file = fileURLToPath(new URL(name, folder));
  if (fs.existsSync(file)) return file;
  throw new OperatorError(
    `The file ${file} is missing. In a clone, \`npm start\` creates it. An installed package must be installed again.`,
  );
}
