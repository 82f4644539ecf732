/** Messages of a process: `loaded` or `broken` once, then `done` or `failed` for each request. */
export type Reply<Result> =
  | { readonly type: 'loaded' }
  | { readonly type: 'done'; readonly result: Result; readonly rssBytes: number }
  | { readonly type: 'broken' | 'failed'; readonly message: string };
