import { type Client, en } from './en.ts';

export const words: Client = en;
