import type { Topic } from './topics.ts';

/** What `<gif-picker>` is told by attributes and, as for `topics`, by properties. */
export interface GifPickerAttributes {
  /** Address of a Zoetrope service. */
  service: string;
  layout?: 'columns' | 'rows' | undefined;
  /** What the device wants if left out. */
  theme?: 'light' | 'dark' | undefined;
  /** Chips instead of those of the hour. */
  topics?: readonly Topic[] | undefined;
  /** Of the interface. */
  lang?: string | undefined;
}
