import { createLog } from '../base/log.ts';
import { loadConfig } from '../config.ts';
import { openService, type Service } from '../service/index.ts';

/**
 * Runs a command on the configured data folder.
 * @param needs nothing for a service, which can begin without the catalogue and must not wait long for it
 */
export async function withService<Result>(
  act: (service: Service) => Promise<Result>,
  needs: 'catalogue' | 'nothing' = 'catalogue',
): Promise<Result> {
  const config = loadConfig(process.env, process.cwd());
  const patience = needs === 'catalogue' ? 'lasting' : 'quick';
  const service = await openService(config, createLog(config.service.logLevel), patience);
  try {
    if (needs === 'catalogue') await service.store.ready();
    return await act(service);
  } finally {
    await service.close();
  }
}
