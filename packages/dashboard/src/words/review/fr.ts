import { en, type Review } from './en.ts';

export const words: Review = en;
