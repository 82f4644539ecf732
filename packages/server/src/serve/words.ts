import { keepLooking } from '../base/keep-looking.ts';
import { keepDoing, type Stoppable } from '../base/repeat.ts';
import { areLanguagesBeingMade, loadLanguages, readSynonyms, type SynonymSet, synonymsState } from '../index/index.ts';
import { type LoadedPack, loadPacks, packsState } from '../languages/index.ts';
import type { Service } from '../service/index.ts';
import type { Words } from './messages.ts';
import type { Threads } from './threads.ts';

/** The operator's words, and the state of their files when they were read. */
export interface OpenedWords extends Words {
  states: { synonyms: string; packs: string };
}

/**
 * Reads the operator's words again whenever their files change. After a mistake in the files, the previous words stay
 * in use.
 */
export function watchWords(service: Service, threads: Threads, first: OpenedWords): Stoppable[] {
  const watch = <Item>({ state, ...source }: WordFiles<Item>, use: (read: Item[]) => void, seen: string) =>
    keepLooking(async () => {
      const now = await state();
      if (now === seen) return;
      seen = now;
      const read = await readOrReport(service, source, 'the previous ones stay in use');
      if (read === undefined) return;
      use(read);
      threads.bumpGeneration();
    });
  const { synonyms, packs } = wordsOf(service);
  return [
    watch(synonyms, (sets) => threads.useWords({ synonyms: sets }), first.states.synonyms),
    watch(packs, (loaded) => threads.useWords({ packs: contentsOf(loaded) }), first.states.packs),
    ...(first.languages === undefined ? [watchLanguages(service, threads)] : []),
  ];
}

/** Time between two checks whether the dictionary of all languages has been made. */
const LOOK_MS = 500;

/** Uses the dictionary of all languages as soon as `npm start` has made it. */
function watchLanguages({ log }: Service, threads: Threads): Stoppable {
  let isDone = false;
  const look = async () => {
    if (isDone || areLanguagesBeingMade()) return;
    isDone = true;
    threads.useWords({ languages: loadLanguages() });
    threads.bumpGeneration();
  };
  return keepDoing(LOOK_MS, look, (error) => log.error({ err: error }, 'searching without other languages'));
}

/**
 * Returns the operator's words when the service starts. A mistake in them is logged, and the service starts without
 * them.
 */
export async function openWords(service: Service): Promise<OpenedWords> {
  const { synonyms, packs } = wordsOf(service);
  // The states are read first, so that the watch sees a change that happens while a file is read.
  const states = { synonyms: await synonyms.state(), packs: await packs.state() };
  const failure = 'starting without them';
  return {
    states,
    languages: areLanguagesBeingMade() ? undefined : loadLanguages(),
    synonyms: (await readOrReport(service, synonyms, failure)) ?? [],
    packs: contentsOf((await readOrReport(service, packs, failure)) ?? []),
  };
}

/** One kind of words, with a function that reads the words and a string that changes whenever their files change. */
interface WordFiles<Item> {
  name: string;
  state: () => Promise<string>;
  read: () => Promise<Item[]>;
}

function wordsOf({ config, store }: Service): { synonyms: WordFiles<SynonymSet>; packs: WordFiles<LoadedPack> } {
  return {
    synonyms: {
      name: 'synonyms',
      state: () => synonymsState(config.index, store.folder),
      read: () => readSynonyms(config.index, store.folder),
    },
    packs: {
      name: 'dictionaries',
      state: () => packsState(store.folder),
      read: () => loadPacks(store.folder),
    },
  };
}

async function readOrReport<Item>(
  { log }: Service,
  { name, read }: Pick<WordFiles<Item>, 'name' | 'read'>,
  failure: string,
): Promise<Item[] | undefined> {
  try {
    const found = await read();
    if (found.length > 0) log.info({ count: found.length }, `read the ${name}`);
    return found;
  } catch (error) {
    log.error({ err: error }, `could not read the ${name}; ${failure}`);
    return undefined;
  }
}

function contentsOf(packs: readonly LoadedPack[]): Uint8Array[] {
  return packs.map(({ content }) => content);
}
