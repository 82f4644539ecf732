import type { GifClient } from '@zoetrope/client';
import type { Motion } from './settings.ts';
import type { Topic } from './topics.ts';

/** Attributes of `<gif-picker>`. `client` and `topics` are properties. */
export interface GifPickerAttributes {
  /** URL of a Zoetrope service. If there is a `client`, this URL only names the place where favourites are stored. */
  service: string;
  /** A client for searching, for example one with an API key, or one that uses a proxy. */
  client?: GifClient | undefined;
  /** URLs of Blossom servers, separated by spaces, on which the picker looks for favourites whose files are gone. */
  'blossom-servers'?: string | undefined;
  /** Whether people can save a GIF. The app saves it when it gets the event `gif-save`. */
  saves?: boolean | undefined;
  layout?: 'columns' | 'rows' | undefined;
  /** Colour theme. Default: the device's setting. */
  theme?: 'light' | 'dark' | undefined;
  /** When GIFs move, unless the user has chosen a setting. Default: the device's setting. */
  motion?: Motion | undefined;
  /** Replaces the default topics for the time of day. */
  topics?: readonly Topic[] | undefined;
  /** Language of the interface. */
  lang?: string | undefined;
}
