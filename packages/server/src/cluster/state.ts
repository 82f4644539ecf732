import {
  FORMAT_VERSION,
  type SpaceShape,
  VOCABULARY_VERSION,
  type VocabularyManifest,
  type VocabularyPart,
} from '@zoetrope/search';
import type { ClusterClient } from '../platform/opensearch/index.ts';
import { type ClusterLayout, stateIndex } from './layout.ts';
import type { Cluster } from './open.ts';

/** Version of the format of documents and parts in the cluster. Every change to the format must raise this version. */
export const CLUSTER_FORMAT = `${FORMAT_VERSION}/${VOCABULARY_VERSION}/1`;

/** The published state. It is a single document, so one write publishes a new index with its vocabulary. */
export interface ClusterState {
  /** See CLUSTER_FORMAT. States of other formats are ignored. */
  format: string;
  /** Name of the index with the GIFs. */
  index: string;
  /** Revision of the catalogue that the index shows. The index can already contain some later changes. */
  revision: number;
  /** The policy that decides which GIFs are shown, as a string for comparison (see `ShownPolicy`). */
  policy: string;
  gifs: number;
  /** The parts of the vocabulary, the base first. */
  vocabulary: VocabularyEntry[];
  /** Parts of earlier states that other machines may still be reading. The next state removes them. */
  outdated: VocabularyEntry[];
  /** Number of GIFs that were removed or replaced since the base was made, and that the vocabulary still counts. */
  retired: number;
  meaning?: SpaceState & { meanCosine: number };
  /** `figures` are in base64. */
  looks?: SpaceState & { figures: string };
}

interface VocabularyEntry {
  name: string;
  revision: number;
  manifest: VocabularyManifest;
}

type SpaceState = Pick<SpaceShape, 'model' | 'dimensions'>;

const READ_MS = 10_000;
const WRITE_MS = 60_000;
const CURRENT = 'current';
/** Number of bytes of a section per document. The cluster refuses requests above 100 MB. */
const PIECE = 4 << 20;

/**
 * Returns the published state; undefined if there is none.
 * @param format `any` also returns a state of another format. In such a state, only the names are reliable
 */
export async function readState(
  { client, layout }: Cluster,
  format: 'own' | 'any' = 'own',
): Promise<ClusterState | undefined> {
  const found = await read<{ state: string }>(client, layout, CURRENT);
  const state = found && (JSON.parse(found.state) as ClusterState);
  return format === 'any' || state?.format === CLUSTER_FORMAT ? state : undefined;
}

/** Returns the name of a state, which responses and the catalogue use. */
export function buildOf({ vocabulary }: ClusterState): string {
  return vocabulary.at(-1)!.name;
}

/** Publishes a state. All its parts must have been written. */
export async function writeState(client: ClusterClient, layout: ClusterLayout, state: ClusterState): Promise<void> {
  await write(client, layout, CURRENT, { state: JSON.stringify(state) });
}

/** Writes the sections of a part of the vocabulary. */
export async function writePart(
  client: ClusterClient,
  layout: ClusterLayout,
  name: string,
  { sections }: VocabularyPart,
): Promise<void> {
  for (const [section, bytes] of sections) {
    for (let at = 0; at < bytes.length; at += PIECE) {
      const piece = Buffer.from(bytes.subarray(at, at + PIECE)).toString('base64');
      await write(client, layout, pieceOf(name, section, at), { piece });
    }
  }
}

/** A state with its vocabulary, in memory that threads share. */
export interface SharedCluster {
  manifest: { build: string; revision: number; gifs: number };
  state: ClusterState;
  vocabulary: Parts;
}

type Parts = [VocabularyPart, ...VocabularyPart[]];

/** Loads a state's vocabulary. @param known a state that is already loaded, whose parts are not read again */
export async function loadState(
  { client, layout }: Cluster,
  state: ClusterState,
  known?: SharedCluster,
): Promise<SharedCluster> {
  const loaded = new Map(known?.state.vocabulary.map(({ name }, i) => [name, known.vocabulary[i]!]));
  const parts: VocabularyPart[] = [];
  for (const entry of state.vocabulary) parts.push(loaded.get(entry.name) ?? (await readPart(client, layout, entry)));
  const { revision, gifs } = state;
  return { manifest: { build: buildOf(state), revision, gifs }, state, vocabulary: parts as Parts };
}

async function readPart(
  client: ClusterClient,
  layout: ClusterLayout,
  { name, manifest }: VocabularyEntry,
): Promise<VocabularyPart> {
  const sections = new Map<string, Uint8Array>();
  for (const { name: section, bytes } of manifest.sections) {
    const whole = new Uint8Array(new SharedArrayBuffer(bytes));
    for (let at = 0; at < bytes; at += PIECE) {
      const found = await read<{ piece: string }>(client, layout, pieceOf(name, section, at));
      // If a piece is missing, zeros remain in its place, and the checksum fails.
      whole.set(Buffer.from(found?.piece ?? '', 'base64').subarray(0, bytes - at), at);
    }
    sections.set(section, whole);
  }
  return { manifest, sections };
}

/** Returns the parts that a new state no longer needs. */
export function outdatedIn(
  earlier: ClusterState | undefined,
  vocabulary: readonly VocabularyEntry[],
): VocabularyEntry[] {
  const kept = new Set(vocabulary.map(({ name }) => name));
  return (earlier?.vocabulary ?? []).filter(({ name }) => !kept.has(name));
}

/** Removes parts of the vocabulary. */
export async function removeParts(
  client: ClusterClient,
  layout: ClusterLayout,
  parts: readonly VocabularyEntry[],
): Promise<void> {
  for (const { name, manifest } of parts) {
    for (const { name: section, bytes } of manifest.sections) {
      for (let at = 0; at < bytes; at += PIECE) {
        const path = documentPath(layout, pieceOf(name, section, at));
        await client.request({ method: 'DELETE', path, deadlineMs: WRITE_MS });
      }
    }
  }
}

function pieceOf(name: string, section: string, at: number): string {
  return `${name} ${section} ${at}`;
}

function documentPath(layout: ClusterLayout, id: string): string {
  return `/${stateIndex(layout)}/_doc/${encodeURIComponent(id)}`;
}

async function read<Source>(client: ClusterClient, layout: ClusterLayout, id: string): Promise<Source | undefined> {
  const path = documentPath(layout, id);
  const found = await client.request<{ _source: Source }>((preference) => {
    const options = preference === undefined ? '' : `?${new URLSearchParams({ preference })}`;
    return { method: 'GET', path: `${path}${options}`, deadlineMs: READ_MS };
  });
  return found?._source;
}

async function write(client: ClusterClient, layout: ClusterLayout, id: string, body: object): Promise<void> {
  await client.request({ method: 'PUT', path: documentPath(layout, id), body, deadlineMs: WRITE_MS });
}
