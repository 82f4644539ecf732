import type { Console } from '../../account/index.ts';
import type { Service } from '../../service/index.ts';
import { releaseBuild, reportOnBuilds, useBuild } from '../../upkeep/index.ts';
import { forOperators } from './for-operators.ts';

/** Returns the functions that show the builds and choose the one that is served. */
export function createBuilds(service: Service): Pick<Console, 'builds' | 'holdBuild' | 'releaseBuild'> {
  const builds = () => reportOnBuilds(service);
  return {
    builds,
    async holdBuild(by, build) {
      await forOperators(() => useBuild(service, by, build));
      return builds();
    },
    async releaseBuild(by) {
      await forOperators(() => releaseBuild(service, by));
      return builds();
    },
  };
}
