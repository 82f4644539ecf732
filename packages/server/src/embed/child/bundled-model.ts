/** Apart from the engine, because this is known where its libraries are not loaded. */
export const BUNDLED = { id: 'use-lite-en@0.2.0/512', dimensions: 512 } as const;
