/**
 * Version of the settings with which derivatives are made. The version is part of the derivatives' URLs and paths, so
 * both can be cached forever. Raise the version after any change to the settings or to the way in which images are
 * fitted.
 */
export const RECIPE = 'r1';
