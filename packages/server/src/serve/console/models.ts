import type { Languages } from '@zoetrope/contract/account';
import type { Console } from '../../account/index.ts';
import { systemClock } from '../../base/clock.ts';
import { OperatorError, ServiceError } from '../../base/errors.ts';
import { goOn } from '../../base/log.ts';
import { pinOf, pullModel, removeModel } from '../../embed/index.ts';
import { recordAct } from '../../registry/index.ts';
import type { Service } from '../../service/index.ts';
import { forOperators } from './for-operators.ts';

/** Number of bytes in a unit of the progress. */
const MEGABYTE = 1_000_000;

/** The state of downloads, which the page about models shows. */
interface Pulls extends Pick<Console, 'pullModel' | 'removeModel'> {
  state(): Pick<Languages, 'pulling' | 'problem'>;
}

/**
 * Returns the functions that download and remove models. Downloads wait for the network nearly all the time, so they run
 * on the main thread.
 * @param languages returns the list of languages, which is sent after each change
 * @param stopping ends a download when the service stops. The next download continues it
 */
export function createModels(
  { config, store, registry, log }: Pick<Service, 'config' | 'store' | 'registry' | 'log'>,
  languages: () => Promise<Languages>,
  stopping: AbortSignal,
): Pulls {
  const { models } = store;
  const url = config.embed.modelsUrl;
  let pulling: Languages['pulling'] = null;
  let problem = '';

  async function pull(name: string, running: NonNullable<Languages['pulling']>): Promise<void> {
    try {
      await pullModel(name, {
        ...{ models, url, signal: stopping },
        onProgress: (file, done, total) => {
          const phase = file === 'model.onnx' ? 'model' : 'tokenizer';
          Object.assign(running, { phase, done: megabytes(done), total: total === null ? null : megabytes(total) });
        },
      });
    } catch (error) {
      if (stopping.aborted) return;
      if (!(error instanceof OperatorError)) log.error({ err: error }, `could not download ${name}`);
      problem = (error as Error).message;
    } finally {
      pulling = null;
    }
  }

  function checkIdle(): void {
    if (pulling !== null) throw new ServiceError('conflict', `Wait for the download of ${pulling.subject}`);
  }

  return {
    state: () => ({ pulling, problem }),
    async pullModel(by, name) {
      await forOperators(async () => pinOf(name));
      await registry.ready();
      checkIdle();
      const running = { subject: name, startedAt: systemClock.now(), phase: '', done: 0, total: null };
      [pulling, problem] = [running, ''];
      goOn(pull(name, running), log);
      await recordAct(registry.db, by, { action: 'model pull', subject: name });
      return languages();
    },
    async removeModel(by, name) {
      await registry.ready();
      checkIdle();
      await forOperators(() => removeModel(name, models, config.embed));
      problem = '';
      await recordAct(registry.db, by, { action: 'model remove', subject: name });
      return languages();
    },
  };
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / MEGABYTE);
}
