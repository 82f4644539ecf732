/** Separate from the engine, so that it can be used without loading the engine's libraries. */
export const BUNDLED = { id: 'use-lite-en@0.2.0/512', dimensions: 512 } as const;
