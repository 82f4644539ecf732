import { type Gif, noteTags } from '@zoetrope/client';

export interface UnsignedNote {
  kind: 1;
  created_at: number;
  content: string;
  tags: string[][];
}

/** A note as a signer takes it. Of the GIFs that were picked, those whose address still stands in it have a tag. */
export function noteOf(content: string, picked: readonly Gif[]): UnsignedNote {
  return {
    kind: 1,
    created_at: Math.floor(Date.now() / 1000),
    content,
    tags: noteTags(...picked.filter(({ url }) => content.includes(url))),
  };
}
