import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../base/errors.ts';

const folder = new URL('../../../models/', import.meta.url);

/** What an operator does about a file of it that is damaged. */
export const MODELS_ADVICE = 'Delete the folder packages/server/models and start by `npm start`, which makes it again';

/**
 * Absolute path of a file of packages/server/models, which hold what tools/models makes ("languages.bin",
 * "sentences.onnx"). Throws OperatorError if it is not there.
 */
export function modelFile(name: string): string {
  const file = fileURLToPath(new URL(name, folder));
  if (fs.existsSync(file)) return file;
  throw new OperatorError(
    `The file ${file} is missing. Start the service by \`npm start\` in the folder of Zoetrope: it makes the file first.`,
  );
}
