import type { Category, Gif } from '@zoetrope/contract';
import type { HttpContext } from '../context.ts';
import { pathOf } from '../page/tile.ts';
import {
  categoriesOf,
  type Face,
  type FaceParts,
  type ListRequest,
  type ListRoute,
  registerList,
  registerLists,
  registerOther,
  sendThanks,
  termsFor,
} from './face.ts';
import { numberOf, pageOf, textOf } from './read.ts';
import { type Rendition, renditionsOf } from './renditions.ts';

const NAMES = { limit: 'limit', offset: 'pos' };
const BOUNDS = { most: 50, usual: 20 };
const TERMS = { least: 1, most: 50, usual: 20 };

/** The API of Tenor, in its versions 1 and 2. Tenor has shut down both. */
export const tenor: Face = {
  register(parts) {
    registerVersion(parts, {
      search: '/tenor/v2/search',
      trending: '/tenor/v2/featured',
      ids: '/tenor/v2/posts',
      toItem: (gif) => toPost(gif, parts.context),
    });
    registerVersion(parts, {
      search: '/tenor/v1/search',
      trending: '/tenor/v1/trending',
      ids: '/tenor/v1/gifs',
      toItem: (gif) => toFirstVersion(gif, parts.context),
    });
    for (const version of ['v1', 'v2']) registerTopics(parts, `/tenor/${version}`);
  },
  // The reasons in `details` are those of Google's APIs, and Discourse reads them.
  problem: ({ code, message, status }) => ({
    error: { code: status, message, status: code, details: [{ reason: code }] },
    results: [],
    next: '',
  }),
};

function registerVersion(
  parts: FaceParts,
  paths: { search: string; trending: string; ids: string; toItem: (gif: Gif) => object },
): void {
  const { problem } = tenor;
  const write: ListRoute<ListRequest>['write'] = ({ items, count, offset, limit }) => ({
    results: items.map(paths.toItem),
    next: offset + limit < count ? String(offset + limit) : '',
  });
  registerLists(parts, {
    paths,
    names: { q: 'q', lang: 'locale' },
    readPage: (raw) => pageOf(raw, NAMES, BOUNDS),
    write,
    problem,
  });
  registerList(parts, {
    path: paths.ids,
    read: (raw) => {
      const ids = textOf(raw, 'ids').split(',').slice(0, BOUNDS.most);
      return { selection: { of: 'ids', ids }, page: { offset: 0, limit: BOUNDS.most } };
    },
    write,
    problem,
  });
}

function registerTopics(parts: FaceParts, path: string): void {
  const { context, app } = parts;
  registerOther(parts, {
    path: `${path}/categories`,
    read: () => null,
    make: async (_, lease) => ({ tags: (await categoriesOf(lease, context)).map(toTag) }),
  });
  for (const name of ['autocomplete', 'search_suggestions', 'trending_terms']) {
    registerOther(parts, {
      path: `${path}/${name}`,
      read: (raw) => ({
        q: name === 'trending_terms' ? '' : textOf(raw, 'q'),
        limit: numberOf(raw, 'limit', TERMS),
      }),
      make: async ({ q, limit }, lease) => ({ results: await termsFor(q, limit, lease, context) }),
    });
  }
  app.get(`${path}/registershare`, (_, reply) => sendThanks(reply, { status: 'ok' }));
}

function toTag({ term, cover }: Category): object {
  return {
    searchterm: term,
    path: `/v2/search?q=${encodeURIComponent(term)}`,
    image: renditionsOf(cover).w240.url,
    name: `#${term}`,
  };
}

function toPost(gif: Gif, context: HttpContext): object {
  return { ...describe(gif, context), media_formats: formatsOf(gif, (file) => ({ dims: [file.width, file.height] })) };
}

function toFirstVersion(gif: Gif, context: HttpContext): object {
  const { still240 } = renditionsOf(gif);
  const more = (file: Rendition) => ({ dims: [file.width, file.height], preview: still240.url });
  return { ...describe(gif, context), media: [formatsOf(gif, more)] };
}

function describe(gif: Gif, { publicUrl }: HttpContext): object {
  const page = publicUrl + pathOf(gif);
  const { id, title, tags } = gif;
  return { id, title, content_description: title, tags, itemurl: page, url: page, hasaudio: false, flags: [] };
}

/** Returns the files under Tenor's names. The smaller files are animated WebP, which apps show like a GIF. */
function formatsOf(gif: Gif, more: (file: Rendition) => object): object {
  const { original, w480, w240, small, still480, mp4, smallMp4 } = renditionsOf(gif);
  const of = (file: Rendition) => ({
    url: file.url,
    ...more(file),
    ...(gif.duration === null ? {} : { duration: gif.duration }),
    ...(file.bytes === null ? {} : { size: file.bytes }),
  });
  return {
    gif: of(original),
    mediumgif: of(w480),
    tinygif: of(w240),
    nanogif: of(small),
    webp: of(w480),
    tinywebp: of(w240),
    nanowebp: of(small),
    preview: of(still480),
    gifpreview: of(still480),
    ...(mp4 === null ? {} : videosOf(of(mp4), of(smallMp4 ?? mp4))),
  };
}

function videosOf(large: object, small: object): object {
  return { mp4: large, loopedmp4: large, tinymp4: small, nanomp4: small };
}
