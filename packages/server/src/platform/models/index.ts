import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '../../base/errors.ts';

const folder = new URL('../../../models/', import.meta.url);

/** Advice for operators about a damaged file. */
export const MODELS_ADVICE =
  'Delete the folder packages/server/models and start the service with `npm start`, which recreates it';

/**
 * Returns the absolute path of a file in packages/server/models, which tools/models creates ("languages.bin",
 * "sentences.onnx"). Throws OperatorError if the file is missing.
 */
export function modelFile(name: string): string {
  const file = fileURLToPath(new URL(name, folder));
  if (fs.existsSync(file)) return file;
  throw new OperatorError(
    `The file ${file} is missing. Start the service with \`npm start\` in the Zoetrope folder, which creates the file.`,
  );
}
