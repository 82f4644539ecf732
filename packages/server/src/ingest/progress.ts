/** Progress of a long command: `done` of `total` items of this phase are finished. `total` is null if it is unknown. */
export interface Progress {
  phase:
    | 'render'
    | 'read'
    | 'media'
    | 'build'
    | 'check'
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
