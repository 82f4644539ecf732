import type { Gif } from '@zoetrope/contract';
import { ServiceError } from '../../base/errors.ts';
import type { RawQuery } from '../cached-route.ts';
import {
  categoriesOf,
  type Face,
  type ListRequest,
  type ListRoute,
  registerList,
  registerLists,
  registerOther,
  sendThanks,
} from './face.ts';
import { numberOf } from './read.ts';
import { type Rendition, renditionsOf } from './renditions.ts';

const PATH = '/klipy/api/v1/gifs';
const PER_PAGE = { least: 1, most: 50, usual: 24 };
/** Pages are numbered from 1. No list has more pages than this, even with one GIF per page. */
const PAGES = { least: 1, most: 201, usual: 1 };

/** The API of KLIPY. `takeKey` has already removed the key from the paths. */
export const klipy: Face = {
  register(parts) {
    const write: ListRoute<ListRequest>['write'] = ({ items, count, offset, limit }) => ({
      result: true,
      data: {
        data: items.map(toItem),
        current_page: offset / limit + 1,
        per_page: limit,
        has_next: offset + limit < count,
      },
    });
    const { problem } = klipy;
    registerLists(parts, {
      paths: { search: `${PATH}/search`, trending: `${PATH}/trending` },
      names: { q: 'q', lang: 'locale' },
      readPage,
      write,
      problem,
    });
    registerList(parts, {
      path: `${PATH}/:slug`,
      read: (_, __, { slug }) => ({ selection: { of: 'ids', ids: [slug!] }, page: { offset: 0, limit: 1 } }),
      write: ({ items: [item] }) => {
        if (item === undefined) throw new ServiceError('not_found', 'No GIF has this slug');
        return { result: true, data: toItem(item) };
      },
      problem,
    });
    registerOther(parts, {
      path: `${PATH}/categories`,
      read: () => null,
      make: async (_, lease) => ({
        result: true,
        data: {
          categories: (await categoriesOf(lease, parts.context)).map(({ name, term, cover }) => ({
            category: name,
            query: term,
            preview_url: renditionsOf(cover).w240.url,
          })),
        },
      }),
    });
    parts.app.post(`${PATH}/share/:slug`, (_, reply) => sendThanks(reply, { result: true }));
  },
  problem: ({ message }) => ({
    result: false,
    errors: { message: [message] },
    data: { data: [], current_page: 1, per_page: 0, has_next: false },
  }),
};

function readPage(raw: RawQuery): ListRequest['page'] {
  const limit = numberOf(raw, 'per_page', PER_PAGE);
  return { limit, offset: (numberOf(raw, 'page', PAGES) - 1) * limit };
}

function toItem(gif: Gif): object {
  const { original, w480, w240, small, mp4, smallMp4 } = renditionsOf(gif);
  const webp = (file: Rendition) => ({ gif: plain(file), webp: plain(file) });
  return {
    ...{ id: gif.id, slug: gif.id, title: gif.title, type: 'gif', tags: gif.tags },
    ...(gif.lqip === null ? {} : { blur_preview: gif.lqip }),
    file: {
      hd: { gif: plain(original), ...(mp4 === null ? {} : { mp4: plain(mp4) }) },
      md: webp(w480),
      sm: { ...webp(w240), ...(smallMp4 === null ? {} : { mp4: plain(smallMp4) }) },
      xs: webp(small),
    },
  };
}

function plain({ url, width, height, bytes }: Rendition): object {
  return { url, width, height, ...(bytes === null ? {} : { size: bytes }) };
}
