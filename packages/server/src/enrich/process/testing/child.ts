import fs from 'node:fs';
import { answerRequests } from '../child.ts';

/** The text that the model repeats. With the text `fail`, the model fails. */
export interface Told {
  say: string;
}

// A model that repeats its input. It cannot be loaded while the file in its argument exists.
answerRequests<Told, string>(async () => {
  if (fs.existsSync(process.argv[2]!)) throw new Error('the network is damaged');
  return async ({ say }) => {
    if (say === 'fail') throw new Error('there is no picture');
    return say;
  };
});
