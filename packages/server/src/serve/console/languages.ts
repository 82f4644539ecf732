import type { Languages } from '@zoetrope/contract/account';
import type { Console } from '../../account/index.ts';
import { isModelInUse, listModels } from '../../embed/index.ts';
import { listPacks, removePack } from '../../languages/index.ts';
import type { Service } from '../../service/index.ts';
import { forOperators } from './for-operators.ts';
import { createModels } from './models.ts';

/**
 * Returns the functions that show and change the models and dictionaries of the data folder.
 * @param stopping ends a download when the service stops
 */
export function createLanguages(
  service: Pick<Service, 'config' | 'store' | 'registry' | 'log'>,
  stopping: AbortSignal,
): Pick<Console, 'languages' | 'removeDictionary' | 'pullModel' | 'removeModel'> {
  const languages = () => forOperators(async () => ({ ...(await readLanguages(service)), ...state() }));
  const { state, pullModel, removeModel } = createModels(service, languages, stopping);
  return {
    ...{ languages, pullModel, removeModel },
    async removeDictionary(name) {
      await forOperators(() => removePack(service.store.folder, name));
      return languages();
    },
  };
}

async function readLanguages({
  config,
  store,
}: Pick<Service, 'config' | 'store'>): Promise<Omit<Languages, 'pulling' | 'problem'>> {
  const { provider, model } = config.embed;
  const hasChoice = provider === 'onnx' || provider === 'http';
  const models = await listModels(store.models);
  const packs = await listPacks(store.folder);
  return {
    embedder: { provider, model: hasChoice ? model : '' },
    models: models.map((listed) => ({ ...listed, inUse: isModelInUse(listed.name, config.embed) })),
    dictionaries: packs.map(({ name, language, title, licence, terms, bytes }) => {
      return { name, language, title, licence, terms, bytes };
    }),
  };
}
