import type { Sources } from '@zoetrope/contract/account';
import type { Console } from '../../account/index.ts';
import {
  configuredRelays,
  ignoredSubjects,
  ignoreMarks,
  joinRelay,
  leaveRelay,
  marksOf,
  reportOnRelays,
} from '../../relays/index.ts';
import type { Service } from '../../service/index.ts';
import { forOperators } from './for-operators.ts';

/** Returns the functions that show and change the relays that GIFs come from. */
export function createSources(
  service: Service,
): Pick<Console, 'sources' | 'followRelay' | 'leaveRelay' | 'ignoreMarks'> {
  const change = async (act: () => Promise<unknown>) => {
    await forOperators(act);
    return readSources(service);
  };
  return {
    sources: () => readSources(service),
    followRelay: (by, url) => change(() => joinRelay(service, by, url)),
    leaveRelay: (by, url) => change(() => leaveRelay(service, by, url)),
    ignoreMarks: (by, { subject, ignored }) => change(() => ignoreMarks(service, by, subject, ignored)),
  };
}

async function readSources(service: Service): Promise<Sources> {
  const { relays, addresses, follower } = await reportOnRelays(service);
  const { authorEvents, relayEvents, hostFiles, bytes } = service.config.relays;
  const inSettings = configuredRelays(service.config);
  return {
    relays: relays.map(({ counts: { taken = 0, ...skipped }, added, ...relay }) => ({
      ...relay,
      from: inSettings.includes(relay.url) ? 'settings' : added ? 'added' : 'none',
      taken,
      skipped: Object.entries(skipped).map(([reason, events]) => ({ reason, events })),
    })),
    files: addresses.map(({ state, reason, n }) => ({ state, reason, urls: n })),
    follower,
    quotas: { authorEvents, relayEvents, hostFiles, bytes },
    marks: await readMarks(service),
  };
}

async function readMarks(service: Service): Promise<Sources['marks']> {
  const authors = await marksOf(service);
  const listed = new Set(authors.map(({ author }) => author));
  const others = [...(await ignoredSubjects(service))].filter((subject) => !listed.has(subject));
  return [
    ...authors.map(({ author, gifs, ignored }) => ({ subject: author, gifs, ignored })),
    ...others.map((subject) => ({ subject, gifs: 0, ignored: true })),
  ];
}
