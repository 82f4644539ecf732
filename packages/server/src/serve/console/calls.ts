import type { Console } from '../../account/index.ts';

/** The requests that threads send to the main thread, which knows the whole service. */
export type ConsoleCall = { [Name in keyof Console]: { name: Name; given: Parameters<Console[Name]> } }[keyof Console];

export type ConsoleAnswer = Awaited<ReturnType<Console[keyof Console]>>;

/** Does what a thread requests. Runs on the main thread. */
export function answerConsole(console: Console, { name, given }: ConsoleCall): Promise<ConsoleAnswer> {
  const answer = console[name] as (...given: unknown[]) => Promise<ConsoleAnswer>;
  return answer(...given);
}

type Ask = <Result extends ConsoleAnswer>(call: ConsoleCall) => Promise<Result>;

/** Returns functions that send requests to the main thread. Runs on a serving thread. */
export function consoleBy(ask: Ask): Console {
  return {
    overview: () => ask({ name: 'overview', given: [] }),
    health: () => ask({ name: 'health', given: [] }),
    history: (...given) => ask({ name: 'history', given }),
    builds: () => ask({ name: 'builds', given: [] }),
    holdBuild: (...given) => ask({ name: 'holdBuild', given }),
    releaseBuild: (...given) => ask({ name: 'releaseBuild', given }),
    backups: () => ask({ name: 'backups', given: [] }),
    makeBackup: (...given) => ask({ name: 'makeBackup', given }),
    settings: () => ask({ name: 'settings', given: [] }),
    imports: (...given) => ask({ name: 'imports', given }),
    findImport: (...given) => ask({ name: 'findImport', given }),
    startImport: (...given) => ask({ name: 'startImport', given }),
    pauseImport: (...given) => ask({ name: 'pauseImport', given }),
    retryImport: (...given) => ask({ name: 'retryImport', given }),
    download: (...given) => ask({ name: 'download', given }),
    checkUpload: (...given) => ask({ name: 'checkUpload', given }),
    takeUpload: (...given) => ask({ name: 'takeUpload', given }),
    mirrorUpload: (...given) => ask({ name: 'mirrorUpload', given }),
    uploadsOf: (...given) => ask({ name: 'uploadsOf', given }),
    listUploads: (...given) => ask({ name: 'listUploads', given }),
    deleteUpload: (...given) => ask({ name: 'deleteUpload', given }),
    members: () => ask({ name: 'members', given: [] }),
    sources: () => ask({ name: 'sources', given: [] }),
    sharedCatalogues: () => ask({ name: 'sharedCatalogues', given: [] }),
    followRelay: (...given) => ask({ name: 'followRelay', given }),
    leaveRelay: (...given) => ask({ name: 'leaveRelay', given }),
    ignoreMarks: (...given) => ask({ name: 'ignoreMarks', given }),
    languages: () => ask({ name: 'languages', given: [] }),
    removeDictionary: (...given) => ask({ name: 'removeDictionary', given }),
    pullModel: (...given) => ask({ name: 'pullModel', given }),
    removeModel: (...given) => ask({ name: 'removeModel', given }),
    explain: (...given) => ask({ name: 'explain', given }),
    canBeClaimed: () => ask({ name: 'canBeClaimed', given: [] }),
    claim: (...given) => ask({ name: 'claim', given }),
  };
}
