/** The services whose API a face imitates, and `mcp`, for assistants. Each face has a path with this name. */
const PATHS = ['gifbox', 'gifverse', 'tenor', 'giphy', 'klipy', 'mcp'] as const;
/** `relay` is a Nostr relay, which has no path. */
const FACE_NAMES = [...PATHS, 'relay'] as const;
export type FaceName = (typeof FACE_NAMES)[number];
export type FaceWithPath = (typeof PATHS)[number];

/** `admitted`: the callers that the API admits. `public`: everybody, with the limits of the service's own pages. */
export type FaceCallers = 'admitted' | 'public';

const PUBLIC = ':public';
/** Assistants can send a key, so nobody needs `mcp` without a key. A relay always admits everybody. */
const NEVER_PUBLIC = [`mcp${PUBLIC}`, `relay${PUBLIC}`];

/** Reads the faces that are turned on (ZOETROPE_FACES): `gifbox, tenor:public`. Leaves out unknown names. */
export function readFaces(setting: string): ReadonlyMap<FaceName, FaceCallers> {
  const allowed = entriesOf(setting).filter((entry) => !NEVER_PUBLIC.includes(entry));
  const faces = allowed.map((entry): [string, FaceCallers] =>
    entry.endsWith(PUBLIC) ? [entry.slice(0, -PUBLIC.length), 'public'] : [entry, 'admitted'],
  );
  return new Map(faces.filter((face): face is [FaceName, FaceCallers] => isFace(face[0])));
}

/** Returns error messages about ZOETROPE_FACES, one for each wrong name. */
export function wrongFaces(setting: string): string[] {
  const wrong = entriesOf(setting).filter(
    (entry) => NEVER_PUBLIC.includes(entry) || !isFace(entry.replace(/:public$/, '')),
  );
  return wrong.map(
    (entry) =>
      `ZOETROPE_FACES must be names separated by commas, of ${FACE_NAMES.join(', ')}, each with or without ${PUBLIC} (mcp and relay only without), ` +
      `not ${JSON.stringify(entry)}`,
  );
}

/** Returns error messages about missing settings for the relay. */
export function wrongRelay(http: Record<string, unknown>): string[] {
  const isOn = readFaces(String(http['faces'] ?? '')).has('relay');
  if (!isOn || http['nostrKey'] !== '') return [];
  return ['ZOETROPE_FACES has relay, so set ZOETROPE_NOSTR_KEY to the secret key that signs its events'];
}

function entriesOf(setting: string): string[] {
  return setting
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function isFace(name: string): name is FaceName {
  return (FACE_NAMES as readonly string[]).includes(name);
}
