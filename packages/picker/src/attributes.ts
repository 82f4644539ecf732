import type { GifClient } from '@zoetrope/client';
import type { Motion } from './settings.ts';
import type { Topic } from './topics.ts';

/** Attributes of `<gif-picker>`. `client` and `topics` are properties. */
export interface GifPickerAttributes {
  /** URL of a Zoetrope service. With a `client`, it only names the place where favourites are kept. */
  service: string;
  /** A client to search with, for example with an API key or through a proxy. */
  client?: GifClient | undefined;
  layout?: 'columns' | 'rows' | undefined;
  /** Colour theme. Default: the device's setting. */
  theme?: 'light' | 'dark' | undefined;
  /** When GIFs move, until the user chooses. Default: the device's setting. */
  motion?: Motion | undefined;
  /** Replaces the default topics for the time of day. */
  topics?: readonly Topic[] | undefined;
  /** Language of the interface. */
  lang?: string | undefined;
}
