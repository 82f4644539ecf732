/**
 * Every number of the specification, by name. Code that needs one imports it from here,
 * so that the description, the checks and the answers can never disagree.
 */
export const LIMITS = {
  /** Characters (Unicode code points) of `q`. */
  queryMinLength: 1,
  queryMaxLength: 500,
  /** Of those, how many are searched. */
  querySearchedLength: 100,
  searchLimitMin: 1,
  searchLimitMax: 200,
  searchLimitDefault: 24,
  offsetMin: 0,
  offsetDefault: 0,
  /** Longest ranked list of any query, over all its pages. */
  rankedListMax: 200,
  suggestLimitMin: 1,
  suggestLimitMax: 20,
  suggestLimitDefault: 8,
  /** Shortest query, in characters, that typo-tolerant terms are looked up for. */
  fuzzyMinLength: 4,
  similarLimitMin: 1,
  similarLimitMax: 50,
  similarLimitDefault: 24,
  idMaxLength: 200,
  /** Seconds an answer without its meaning leg may be cached, over all caches together. */
  degradedCacheSeconds: 60,
  /** Seconds until a new registration works everywhere. */
  admissionRefusedCacheSeconds: 300,
  /** Seconds a deleted registration may go on working. */
  admissionGrantedCacheSeconds: 3600,
  /** An MP4 is offered up to and including these. */
  mp4MaxSeconds: 60,
  mp4MaxFrames: 1800,
  /** An MP4 is offered below this many pixels in each dimension. */
  mp4DimensionLimit: 4096,
  previewSmallHeight: 96,
  previewMediumHeight: 192,
  previewW240Width: 240,
  previewW480Width: 480,
  registrationFeeSats: 1000,
  clientsPerPubkey: 5,
  ownersPerClient: 10,
  originsPerClient: 20,
  apiKeysPerClient: 10,
  userAgentsPerClient: 10,
  pendingRequestsPerClient: 10,
} as const;
