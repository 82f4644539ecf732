/**
 * Every number of the specification, by name. Code imports them from here, so that the description, the checks and the
 * responses never disagree.
 */
export const LIMITS = {
  /** Characters (Unicode code points) of `q`. */
  queryMinLength: 1,
  queryMaxLength: 500,
  /** How many of these characters are searched. */
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
  /** Minimum query length, in characters, for typo-tolerant terms. */
  fuzzyMinLength: 4,
  similarLimitMin: 1,
  similarLimitMax: 50,
  similarLimitDefault: 24,
  idMaxLength: 200,
  /** How long all caches together can cache a response computed without semantic search, in seconds. */
  degradedCacheSeconds: 60,
  /** Seconds until a new registration works everywhere. */
  admissionRefusedCacheSeconds: 300,
  /** Seconds for which a deleted registration can still work. */
  admissionGrantedCacheSeconds: 3600,
  /** MP4s are offered only for GIFs up to this duration. */
  mp4MaxSeconds: 60,
  mp4MaxFrames: 1800,
  /** An MP4 is offered if both dimensions are below this many pixels. */
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
