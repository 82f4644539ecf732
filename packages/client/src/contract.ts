/* Generated from the contract by tools/client-types.ts; do not edit. */

/** One preview of a GIF. */
export interface Preview {
  /** Width of this preview; use it and `height` to lay out tiles. */
  width: number;
  /** Height of this preview. */
  height: number;
  /** Animated WebP, regardless of the file extension. null if the image is too large to animate; then use `still`. */
  animated: string | null;
  /** First frame as PNG: for use while the animation loads, with reduced motion, and as a fallback. */
  still: string;
}

/** Smaller versions of the GIF, for grids and rows. */
export interface Previews {
  /** Height-fitted to 96 px, for rows; never enlarged. */
  small: Preview;
  /** Height-fitted to 192 px, for rows; never enlarged. */
  medium: Preview;
  /** Width-fitted to at most 240 px, for column grids under 640 px of viewport. */
  w240: Preview;
  /** Width-fitted to at most 480 px, for column grids from 640 px of viewport. */
  w480: Preview;
}

/** One animated image. */
export interface Gif {
  /** Identifier of the form `<sha256>.gif`. */
  id: string;
  /** SHA-256 of the original, in hexadecimal; null if the service has not read the whole file. Do not use the `id` instead. */
  sha256: string | null;
  /** Whether `width`, `height` and `format` were read from the file. false: they come from the catalogue or are a guess, are only good enough to lay out tiles, and must not be used in a note. */
  verified: boolean;
  /** The original file, to post in a note. It often has several megabytes; do not use it in grids. */
  url: string;
  /** In pixels, of the original. */
  width: number;
  /** In pixels, of the original. */
  height: number;
  /** Number of frames, if known. */
  frames: number | null;
  /** Duration of one loop in seconds, if known. */
  duration: number | null;
  /** Size of the original, if known. */
  bytes: number | null;
  /** Format of the original. */
  format: 'gif' | 'webp';
  /** Can be empty. */
  title: string;
  tags: string[];
  /** Tiny blurred placeholder as a data URI, of the first frame that shows something. Remove it when the real image has loaded: many images are transparent. */
  lqip: string | null;
  /** true if a decoded frame has transparent pixels. The MP4 shows them in black, so that dark pixels beside them cannot be seen: use the animated preview instead. null if no such pixel was found, or the file was not decoded. */
  transparent: boolean | null;
  /** true if the decoded first frame, and so each `still`, has only one colour or is transparent: show `lqip` instead. null if it shows something, or the file was not decoded. */
  blankStill: boolean | null;
  /** H.264 MP4 in the original size, without audio or loop flag (`<video loop muted autoplay playsinline>`). Transparency becomes black (see `transparent`). null for stills, over 60 s, over 1800 frames, or 4096 px or larger. It is made when first requested. If it returns 404, use the animated preview instead. */
  mp4: string | null;
  /** H.264 MP4 in the size of `previews.w240` (an odd side is one pixel longer), without audio or loop flag. It usually has about half the bytes of the animated preview. null if `mp4` is null or `transparent` is true. It is made when first requested. If it returns 404, use the animated preview instead. */
  previewMp4: string | null;
  /** Smaller versions of the GIF, for grids and rows. */
  previews: Previews;
}

/** A term of the index. */
export interface Term {
  term: string;
  /** Which field of the GIFs contains the term. */
  kind: 'tag' | 'character' | 'title' | 'text';
  /** How many GIFs use the term. Terms are sorted by this number, highest first. */
  n: number;
  /** true marks a trigram (typo-tolerant) match, for queries of 4 or more characters. */
  fuzzy?: boolean;
}

export type SearchMode = 'auto' | 'text' | 'semantic';

/** One page of a query's ranked list. */
export interface SearchResponse {
  /** Index build. If it changes between pages of one query, start again from offset 0. */
  build: string;
  /** Cache generation; only informative. */
  gen: number;
  /** The query after normalisation, as it was searched. */
  q: string;
  /** Only if words of `q` were unknown: the corrected query that was searched; show it as “results for …”. */
  corrected?: string;
  /** Whether semantic search was used. */
  semantic: boolean;
  /** Length of this query's ranked list, not the number of matching GIFs in the index. */
  count: number;
  offset: number;
  limit: number;
  items: Gif[];
}

/** Completions, most used first. */
export interface SuggestResponse {
  /** Index build. If it changes between pages of one query, start again from offset 0. */
  build: string;
  /** Cache generation; only informative. */
  gen: number;
  q: string;
  terms: Term[];
}

/** GIFs that look like the given one. */
export interface SimilarResponse {
  /** Index build. If it changes between pages of one query, start again from offset 0. */
  build: string;
  /** Cache generation; only informative. */
  gen: number;
  /** Most similar first. */
  items: Gif[];
}

/** One GIF. */
export interface GifResponse {
  /** Index build. If it changes between pages of one query, start again from offset 0. */
  build: string;
  /** Cache generation; only informative. */
  gen: number;
  /** One animated image. */
  item: Gif;
}

/** The GIFs with the given ids. */
export interface GifsResponse {
  /** Index build. If it changes between pages of one query, start again from offset 0. */
  build: string;
  /** Cache generation; only informative. */
  gen: number;
  items: Gif[];
}

/** One page of the GIFs to start with. */
export interface TrendingResponse {
  /** Index build. If it changes between pages of one query, start again from offset 0. */
  build: string;
  /** Cache generation; only informative. */
  gen: number;
  /** Length of the whole list. */
  count: number;
  offset: number;
  limit: number;
  items: Gif[];
}

/** Terms to search for. */
export interface TermsResponse {
  /** Index build. If it changes between pages of one query, start again from offset 0. */
  build: string;
  /** Cache generation; only informative. */
  gen: number;
  terms: string[];
}

/** A topic with a picture. */
export interface Category {
  /** Name to display. */
  name: string;
  /** The query that finds the GIFs of the category. */
  term: string;
  /** One animated image. */
  cover: Gif;
}

/** The topics of this catalogue. */
export interface CategoriesResponse {
  /** Index build. If it changes between pages of one query, start again from offset 0. */
  build: string;
  /** Cache generation; only informative. */
  gen: number;
  categories: Category[];
}

/** Error codes of the service. */
export type ErrorCode =
  /** 400: A parameter is missing or out of range. */
  | 'validation'
  /** 403: The request does not identify a registered client. */
  | 'client_not_registered'
  /** 403: safe=0 is refused: adult GIFs are not served. */
  | 'adult_not_allowed'
  /** 429: Too many requests; wait for Retry-After seconds. */
  | 'rate_limited'
  /** 503: The client registry is unavailable right now. */
  | 'registry_unavailable'
  /** 503: A part of the service that this response needs is unavailable. */
  | 'upstream_unavailable'
  /** 503: Semantic search is unavailable; mode=text still works. */
  | 'embedder_unavailable'
  /** 404: No GIF has this id. */
  | 'not_found'
  /** 405: Only GET and HEAD are served. */
  | 'method_not_allowed'
  /** 414: The request URL is too long. */
  | 'uri_too_long'
  /** 431: The request headers are too large. */
  | 'headers_too_large'
  /** 500: Internal error; the operator can find the cause in the log by the request id. */
  | 'internal';
