import { createLog } from '../base/log.ts';
import { formerSettings, loadConfig } from '../config.ts';
import { openService, type Service } from '../service/index.ts';

/**
 * Runs a command on the configured data folder.
 * @param needs `nothing` for a service, because a service can start without the catalogue and must not wait long for
 * the catalogue
 */
export async function withService<Result>(
  act: (service: Service) => Promise<Result>,
  needs: 'catalogue' | 'nothing' = 'catalogue',
): Promise<Result> {
  const config = loadConfig(process.env, process.cwd());
  const log = createLog(config.service.logLevel);
  for (const warning of formerSettings(process.env, process.cwd())) log.warn(warning);
  const patience = needs === 'catalogue' ? 'lasting' : 'quick';
  const service = await openService(config, log, patience);
  try {
    if (needs === 'catalogue') await service.store.ready();
    return await act(service);
  } finally {
    await service.close();
  }
}
