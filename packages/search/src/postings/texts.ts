import { analyseDocument } from '../analysis/analyse.ts';
import { wholeTag } from '../analysis/joined.ts';
import type { IndexDocument } from '../build/document.ts';
import type { FieldName } from './impact.ts';

/** The texts of a document that are searched. */
export type Texts = Pick<IndexDocument, 'title' | 'tags' | 'characters' | 'series' | 'text'>;

/** Returns the terms of each field, in order, and the short tags as single terms. */
export function readTexts({ title, tags, series, characters, text }: Texts): {
  fields: Record<FieldName, string[]>;
  wholeTags: string[];
} {
  const all = [...tags, ...series];
  return {
    fields: {
      title: analyseDocument(title),
      tags: analyseDocument(all.join('\n')),
      characters: analyseDocument(characters.join('\n')),
      text: analyseDocument(text),
    },
    wholeTags: all.flatMap(wholeTag),
  };
}
