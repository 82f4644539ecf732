import type { Topic } from './topics.ts';

/** Attributes of `<gif-picker>`. `topics` can also be set as a property. */
export interface GifPickerAttributes {
  /** URL of a Zoetrope service. */
  service: string;
  layout?: 'columns' | 'rows' | undefined;
  /** Colour theme. Default: the device's setting. */
  theme?: 'light' | 'dark' | undefined;
  /** Replaces the default topics for the time of day. */
  topics?: readonly Topic[] | undefined;
  /** Language of the interface. */
  lang?: string | undefined;
}
