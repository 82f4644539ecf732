import { type Gif, noteTags } from '@zoetrope/client';

export interface UnsignedNote {
  kind: 1;
  created_at: number;
  content: string;
  tags: string[][];
}

/** An unsigned note. Each picked GIF whose URL is still in the text gets a tag. */
export function noteOf(content: string, picked: readonly Gif[]): UnsignedNote {
  return {
    kind: 1,
    created_at: Math.floor(Date.now() / 1000),
    content,
    tags: noteTags(...picked.filter(({ url }) => content.includes(url))),
  };
}
