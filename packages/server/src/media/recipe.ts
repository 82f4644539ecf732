/**
 * Version of the settings that derivatives are made with. It is part of their URLs and paths, so that both can be
 * cached forever: raise it after any change to the settings or to the fitting.
 */
export const RECIPE = 'r1';
