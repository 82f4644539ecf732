/**
 * The id and dimensions of the bundled model. This file is separate from the engine, so importing it does not load the
 * engine's libraries.
 */
export const BUNDLED = { id: 'use-lite-en@0.2.0/512', dimensions: 512 } as const;
