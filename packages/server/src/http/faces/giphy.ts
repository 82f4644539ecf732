import { type Category, type Gif, LIMITS } from '@zoetrope/contract';
import { ServiceError } from '../../base/errors.ts';
import type { HttpContext } from '../context.ts';
import { chooseFrom } from '../discovery/routes.ts';
import { pathOf } from '../page/tile.ts';
import {
  categoriesOf,
  type Face,
  type FaceParts,
  type ListRequest,
  type ListRoute,
  registerList,
  registerOther,
  termsFor,
  trending,
} from './face.ts';
import { numberOf, pageOf, searchOf, textOf } from './read.ts';
import { type Rendition, renditionsOf } from './renditions.ts';

const NAMES = { limit: 'limit', offset: 'offset' };
const BOUNDS = { most: 50, usual: 25 };
const TERMS = { least: 1, most: 50, usual: 20 };
const WHOLE_LIST = { offset: 0, limit: LIMITS.rankedListMax };

/** The API of GIPHY, version 1. Stickers are the transparent GIFs of a list. */
export const giphy: Face = {
  register(parts) {
    registerLists(parts);
    registerOnes(parts);
    registerTopics(parts);
  },
  problem: ({ message, status }) => ({
    data: [],
    pagination: { total_count: 0, count: 0, offset: 0 },
    meta: { status, msg: message, response_id: '' },
  }),
};

interface PagedRequest extends ListRequest {
  /** The wanted page of the GIFs that remain after the list has been filtered. */
  within?: ListRequest['page'];
}

function registerLists(parts: FaceParts): void {
  const { context } = parts;
  const { problem } = giphy;
  const write: ListRoute<PagedRequest>['write'] = ({ items, count, offset }, _, build) => ({
    data: items.map((gif) => toItem(gif, context)),
    pagination: { total_count: count, count: items.length, offset },
    meta: metaOf(build),
  });
  const writeStickers: typeof write = (list, { within }, build) => {
    const transparent = list.items.filter((gif) => gif.transparent);
    const { offset, limit } = within!;
    const items = transparent.slice(offset, offset + limit);
    return write({ ...list, items, count: transparent.length, offset }, { ...WANTED, page: within! }, build);
  };
  for (const type of ['gifs', 'stickers']) {
    const isSticker = type === 'stickers';
    const paged = (selection: ListRequest['selection'], page: ListRequest['page']): PagedRequest =>
      isSticker ? { selection, page: WHOLE_LIST, within: page } : { selection, page };
    const route = { write: isSticker ? writeStickers : write, problem };
    registerList(parts, {
      path: `/giphy/v1/${type}/search`,
      read: (raw, caller) => paged(searchOf(textOf(raw, 'q'), textOf(raw, 'lang'), caller), pageOf(raw, NAMES, BOUNDS)),
      ...route,
    });
    registerList(parts, {
      path: `/giphy/v1/${type}/trending`,
      read: (raw) => paged(trending(), pageOf(raw, NAMES, BOUNDS)),
      ...route,
    });
    registerList(parts, {
      path: `/giphy/v1/${type}/related`,
      read: (raw) => paged({ of: 'similar', id: textOf(raw, 'gif_id') }, pageOf(raw, NAMES, BOUNDS)),
      ...route,
    });
  }
  registerList(parts, {
    path: '/giphy/v1/gifs',
    read: (raw) => {
      const ids = textOf(raw, 'ids').split(',').slice(0, BOUNDS.most);
      return { selection: { of: 'ids', ids }, page: { offset: 0, limit: BOUNDS.most } };
    },
    write,
    problem,
  });
}

const WANTED = { selection: { of: 'ids', ids: [] } } as const;

/** Registers the routes that return one GIF. */
function registerOnes(parts: FaceParts): void {
  const { context } = parts;
  const { problem } = giphy;
  const page = { offset: 0, limit: 1 };
  registerList(parts, {
    path: '/giphy/v1/gifs/:id',
    read: (_, __, { id }) => ({ selection: { of: 'ids', ids: [id!] }, page }),
    write: ({ items }, { selection }, build) => {
      if (items.length === 0) throw new ServiceError('not_found', `No GIF has the id ${Object.values(selection)[1]}`);
      return { data: toItem(items[0]!, context), meta: metaOf(build) };
    },
    problem,
  });
  registerList(parts, {
    path: '/giphy/v1/gifs/random',
    read: (raw, { isWordsOnly }) => ({ selection: chooseFrom(textOf(raw, 'tag'), isWordsOnly), page: WHOLE_LIST }),
    write: ({ items }, _, build) => {
      const chosen = items[Math.floor(Math.random() * items.length)];
      return { data: chosen === undefined ? [] : toItem(chosen, context), meta: metaOf(build) };
    },
    isRandom: true,
    problem,
  });
}

function registerTopics(parts: FaceParts): void {
  const { context } = parts;
  registerOther(parts, {
    path: '/giphy/v1/gifs/categories',
    read: () => null,
    make: async (_, lease) => {
      const data = (await categoriesOf(lease, context)).map((category) => toCategory(category, context));
      const { length } = data;
      const pagination = { total_count: length, count: length, offset: 0 };
      return { data, pagination, meta: metaOf(lease.index.buildId) };
    },
  });
  registerOther(parts, {
    path: '/giphy/v1/trending/searches',
    read: () => null,
    make: async (_, lease) => ({
      data: await termsFor('', TERMS.usual, lease, context),
      meta: metaOf(lease.index.buildId),
    }),
  });
  const names = async (q: string, limit: number, lease: Parameters<typeof termsFor>[2]) => ({
    data: (await termsFor(q, limit, lease, context)).map((name) => ({ name })),
    meta: metaOf(lease.index.buildId),
  });
  registerOther(parts, {
    path: '/giphy/v1/gifs/search/tags',
    read: (raw) => ({ q: textOf(raw, 'q'), limit: numberOf(raw, 'limit', TERMS) }),
    make: ({ q, limit }, lease) => names(q, limit, lease),
  });
  registerOther(parts, {
    path: '/giphy/v1/tags/related/:term',
    read: (_, { term }) => term!,
    make: (term, lease) => names(term, TERMS.usual, lease),
  });
}

/** GIPHY's SDK refuses responses without `response_id`. */
function metaOf(build: string): object {
  return { status: 200, msg: 'OK', response_id: build };
}

function toCategory({ name, term, cover }: Category, context: HttpContext): object {
  return { name, name_encoded: encodeURIComponent(term), subcategories: [], gif: toItem(cover, context) };
}

function toItem(gif: Gif, { publicUrl }: HttpContext): object {
  const { id, title, tags } = gif;
  const page = publicUrl + pathOf(gif);
  return {
    ...{ type: 'gif', id, slug: id, url: page, title, alt_text: title, tags },
    is_sticker: gif.transparent ? 1 : 0,
    images: imagesOf(gif),
  };
}

/**
 * Returns the files under GIPHY's names, with numbers as strings. The smaller files are animated WebP. Only the names
 * under which GIPHY has a WebP have `webp`, because uncompressed lists are long.
 */
function imagesOf(gif: Gif): object {
  const { original, w480, w240, medium, small, still480, still240, mp4, smallMp4 } = renditionsOf(gif);
  const of = (file: Rendition) => ({ ...plain(file), webp: file.url });
  const video = mp4 === null ? {} : { mp4: mp4.url };
  const frames = gif.frames === null ? {} : { frames: String(gif.frames) };
  return {
    original: { ...plain(original), ...(gif.format === 'webp' ? { webp: original.url } : {}), ...video, ...frames },
    downsized: plain(w480),
    downsized_medium: plain(w480),
    downsized_large: plain(original),
    fixed_width: { ...of(w240), ...(smallMp4 === null ? {} : { mp4: smallMp4.url }) },
    fixed_width_downsampled: of(w240),
    fixed_width_small: of(small),
    fixed_height: of(medium),
    fixed_height_downsampled: of(medium),
    fixed_height_small: of(small),
    preview_gif: plain(small),
    preview_webp: plain(small),
    original_still: plain(still480),
    downsized_still: plain(still480),
    fixed_width_still: plain(still240),
    fixed_height_still: plain(still240),
    ...(mp4 === null ? {} : { original_mp4: { ...plain(mp4), mp4: mp4.url } }),
  };
}

function plain({ url, width, height, bytes }: Rendition): object {
  return { url, width: String(width), height: String(height), ...(bytes === null ? {} : { size: String(bytes) }) };
}
