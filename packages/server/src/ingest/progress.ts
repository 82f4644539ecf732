/** What a long command is doing: `done` of `total` (null while nobody knows) things of this phase. */
export interface Progress {
  phase:
    | 'render'
    | 'read'
    | 'media'
    | 'build'
    | 'previews'
    | 'meaning'
    | 'looks'
    | 'rating'
    | 'captions'
    | 'events'
    | 'files'
    | 'probe';
  done: number;
  total: number | null;
}

export type OnProgress = (progress: Progress) => void;
