import Type, { type Static } from 'typebox';
import { Running } from './values.ts';

/** Models and dictionaries, for operators. */

const Text = Type.String();
const Bytes = Type.Integer({ minimum: 0, description: 'In bytes' });

export const Languages = Type.Object({
  embedder: Type.Object(
    { provider: Text, model: Type.String({ description: 'Empty unless the provider has a choice of models' }) },
    { description: 'ZOETROPE_EMBEDDER and ZOETROPE_EMBEDDER_MODEL' },
  ),
  models: Type.Array(
    Type.Object({
      name: Text,
      repository: Text,
      licence: Text,
      language: Type.Union([Text, Type.Null()], {
        description: 'ISO 639 code of the only language that the model understands; null if it understands many',
      }),
      dimensions: Type.Integer({ minimum: 1 }),
      maxBytes: Type.Integer({ minimum: 0, description: 'Maximum size of the download, in bytes' }),
      pulled: Type.Boolean({ description: 'Whether its folder is complete' }),
      inUse: Type.Boolean({ description: 'Whether it is the one in the settings' }),
    }),
    { description: 'The models that can be downloaded' },
  ),
  dictionaries: Type.Array(
    Type.Object({
      name: Text,
      language: Text,
      title: Text,
      licence: Type.Union([Text, Type.Null()], { description: 'Null if the dictionary does not name it' }),
      terms: Type.Integer({ minimum: 0, description: 'Words with an English meaning' }),
      bytes: Bytes,
    }),
    { description: 'The dictionaries that were added' },
  ),
  pulling: Running,
  problem: Type.String({ description: 'Why the last download of a model failed; empty if it did not' }),
});
export type Languages = Static<typeof Languages>;
