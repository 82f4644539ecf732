export { createLooks, LOOKS_PLACES, type Looks, LooksError, type LooksOptions } from './looks.ts';
