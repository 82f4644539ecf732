/**
 * Messages of a process. The first message is `loaded` or `broken`. After that, there is one `done` or `failed` for
 * each request.
 */
export type Reply<Result> =
  | { readonly type: 'loaded' }
  | { readonly type: 'done'; readonly result: Result; readonly rssBytes: number }
  | { readonly type: 'broken' | 'failed'; readonly message: string };
