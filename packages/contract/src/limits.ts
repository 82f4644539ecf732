/**
 * Every number of the specification, by name. Code imports the numbers from here, so that the API description, the
 * checks and the responses always have the same numbers.
 */
export const LIMITS = {
  /** Length of `q` in characters (Unicode code points). */
  queryMinLength: 1,
  queryMaxLength: 500,
  /** Maximum number of characters of `q` that are searched. */
  querySearchedLength: 100,
  searchLimitMin: 1,
  searchLimitMax: 200,
  searchLimitDefault: 24,
  offsetMin: 0,
  offsetDefault: 0,
  /** Maximum length of the ranked list of any query, over all its pages. */
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
  /**
   * Maximum age, in seconds, of a response computed without semantic search. The age is the total time in all caches.
   */
  degradedCacheSeconds: 60,
  /** Maximum number of seconds until a new registration works everywhere. */
  admissionRefusedCacheSeconds: 300,
  /** Maximum number of seconds for which a deleted registration can still work. */
  admissionGrantedCacheSeconds: 3600,
  /** Maximum duration of GIFs for which MP4s are offered, in seconds. */
  mp4MaxSeconds: 60,
  mp4MaxFrames: 1800,
  /** An MP4 is offered if width and height are both below this number of pixels. */
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

/** Pattern of a GIF's id, in responses and in paths. */
export const ID_PATTERN: string = `^\\w[\\w.-]{0,${LIMITS.idMaxLength - 1}}$`;
