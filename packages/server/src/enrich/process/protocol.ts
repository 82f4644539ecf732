/** Messages of a process. The first is `loaded` or `broken`. Then comes one `done` or `failed` per request. */
export type Reply<Result> =
  | { readonly type: 'loaded' }
  | { readonly type: 'done'; readonly result: Result; readonly rssBytes: number }
  | { readonly type: 'broken' | 'failed'; readonly message: string };
