import path from 'node:path';
import type { Languages } from '@zoetrope/contract/account';
import type { Console } from '../../account/index.ts';
import { listModels } from '../../embed/index.ts';
import { listPacks, removePack } from '../../languages/index.ts';
import type { Service } from '../../service/index.ts';
import { forOperators } from './for-operators.ts';

/** Returns the functions that show the models and dictionaries of the data folder. */
export function createLanguages(
  service: Pick<Service, 'config' | 'store'>,
): Pick<Console, 'languages' | 'removeDictionary'> {
  const languages = () => forOperators(() => readLanguages(service));
  return {
    languages,
    async removeDictionary(name) {
      await forOperators(() => removePack(service.store.folder, name));
      return languages();
    },
  };
}

async function readLanguages({ config, store }: Pick<Service, 'config' | 'store'>): Promise<Languages> {
  const { provider, model } = config.embed;
  const hasChoice = provider === 'onnx' || provider === 'http';
  const models = await listModels(path.join(store.folder, 'models'));
  const packs = await listPacks(store.folder);
  return {
    embedder: { provider, model: hasChoice ? model : '' },
    models: models.map((listed) => ({ ...listed, inUse: provider === 'onnx' && model === listed.name })),
    dictionaries: packs.map(({ name, language, title, licence, terms, bytes }) => {
      return { name, language, title, licence, terms, bytes };
    }),
  };
}
