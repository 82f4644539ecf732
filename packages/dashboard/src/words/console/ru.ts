import { type Console, en } from './en.ts';

export const words: Console = en;
