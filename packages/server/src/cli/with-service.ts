import { createLog } from '../base/log.ts';
import { loadConfig } from '../config.ts';
import { openService, type Service } from '../service/index.ts';

/** Runs a command on the configured data folder. */
export async function withService<Result>(act: (service: Service) => Promise<Result>): Promise<Result> {
  const config = loadConfig(process.env, process.cwd());
  const service = await openService(config, createLog(config.service.logLevel));
  try {
    return await act(service);
  } finally {
    await service.close();
  }
}
