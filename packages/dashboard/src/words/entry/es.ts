import { type Entry, en } from './en.ts';

export const words: Entry = en;
