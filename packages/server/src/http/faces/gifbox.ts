import type { Gif } from '@zoetrope/contract';
import { categoriesOf, type Face, registerLists, registerOther } from './face.ts';
import { pageOf } from './read.ts';
import { type Rendition, renditionsOf } from './renditions.ts';

/**
 * The API of Gifbox, which Stoat uses. Its apps show each GIF as a muted, looping video. So GIFs without an MP4 are
 * left out.
 */
export const gifbox: Face = {
  register(parts) {
    registerLists(parts, {
      paths: { search: '/gifbox/search', trending: '/gifbox/trending' },
      names: { q: 'query', lang: 'locale' },
      readPage: (raw) => pageOf(raw, { limit: 'limit', offset: 'position' }, { most: 50, usual: 50 }),
      write: (list) => ({ results: list.items.flatMap(toItem), ...nextOf(list) }),
      problem: gifbox.problem,
    });
    registerOther(parts, {
      path: '/gifbox/categories',
      read: () => null,
      make: async (_, lease) =>
        (await categoriesOf(lease, parts.context)).map(({ name, cover }) => ({
          title: name,
          image: renditionsOf(cover).w240.url,
        })),
    });
  },
  problem: ({ code, message }) => ({ error: { code, message }, results: [] }),
};

function nextOf({ count, offset, limit }: { count: number; offset: number; limit: number }): { next?: string } {
  return offset + limit < count ? { next: String(offset + limit) } : {};
}

function toItem(gif: Gif): object[] {
  const { original, mp4, smallMp4 } = renditionsOf(gif);
  if (mp4 === null) return [];
  const of = ({ url, width, height }: Rendition) => ({ url, dimensions: [width, height] });
  // Both names return our MP4s, because the apps only play the files.
  return [
    {
      id: gif.id,
      url: original.url,
      title: gif.title,
      media_formats: { webm: of(mp4), tinywebm: of(smallMp4 ?? mp4) },
    },
  ];
}
