/**
 * The id and dimensions of the bundled model. They are in a separate file, so that importing them does not load the
 * engine's libraries.
 */
export const BUNDLED = { id: 'use-lite-en@0.2.0/512', dimensions: 512 } as const;
