import type { GifRecord } from '../../records/index.ts';

/** Returns a linked GIF. */
export function linked(id: string, changes: Partial<GifRecord> = {}): GifRecord {
  const words = { title: id, tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], lqip: null, toldBy: `/list#${id}` };
  const url = `https://gifs.example/${id}`;
  return { id, sha256: null, verified: 'nothing', url, ...claims, ...words, ...told, ...changes };
}
