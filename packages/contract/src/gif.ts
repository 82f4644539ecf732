import Type, { type Static } from 'typebox';
import { LIMITS } from './limits.ts';

/** Pattern of a GIF's id, in responses and in paths. */
export const ID_PATTERN: string = `^\\w[\\w.-]{0,${LIMITS.idMaxLength - 1}}$`;

const Nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Pixels = (description: string) => Type.Integer({ minimum: 1, description });
const Address = (description: string) => Type.String({ format: 'uri', description });

export const Preview = Type.Object(
  {
    width: Pixels('Width of this preview; lay tiles out from this and `height`'),
    height: Pixels('Height of this preview'),
    animated: Nullable(
      Type.String({ format: 'uri' }),
      'Animated WebP, regardless of the file extension. null if the image is too large to animate; then use `still`',
    ),
    still: Address('First frame, PNG: poster while loading, preview under reduced motion, fallback'),
  },
  { $id: 'Preview', description: 'One preview of a GIF' },
);
export type Preview = Static<typeof Preview>;

const preview = (description: string) => Type.Object(Preview.properties, { description });

export const Previews = Type.Object(
  {
    small: preview(`Height-fitted to ${LIMITS.previewSmallHeight} px, for rows; never enlarged`),
    medium: preview(`Height-fitted to ${LIMITS.previewMediumHeight} px, for rows; never enlarged`),
    w240: preview(`Width-fitted to at most ${LIMITS.previewW240Width} px, for column grids under 640 px of viewport`),
    w480: preview(`Width-fitted to at most ${LIMITS.previewW480Width} px, for column grids from 640 px of viewport`),
  },
  { description: 'Smaller renditions for grids and rows' },
);
export type Previews = Static<typeof Previews>;

export const GifFormat = Type.Union([Type.Literal('gif'), Type.Literal('webp')], {
  description: 'Format of the original',
});
export type GifFormat = Static<typeof GifFormat>;

export const Gif = Type.Object(
  {
    id: Type.String({ pattern: ID_PATTERN, description: 'Identifier of the form `<sha256>.gif`' }),
    sha256: Nullable(
      Type.String({ pattern: '^[0-9a-f]{64}$' }),
      'SHA-256 of the original, in hexadecimal; null if the service has not read the whole file. The `id` is no substitute',
    ),
    verified: Type.Boolean({
      description:
        'Whether `width`, `height` and `format` were read from the file. false: they are what the catalogue says, ' +
        'or a guess to lay tiles out by, and do not belong in a note',
    }),
    url: Address('The original file, to post in a note. Often megabytes; not for grid thumbnails'),
    width: Pixels('Pixels of the original'),
    height: Pixels('Pixels of the original'),
    frames: Nullable(Type.Integer({ minimum: 1 }), 'Number of frames, if known'),
    duration: Nullable(Type.Number({ minimum: 0 }), 'Seconds of one loop, if known'),
    bytes: Nullable(Type.Integer({ minimum: 0 }), 'Size of the original, if known'),
    format: GifFormat,
    title: Type.String({ description: 'May be empty' }),
    tags: Type.Array(Type.String()),
    lqip: Nullable(
      Type.String({ pattern: '^data:image/' }),
      'Tiny blurred placeholder as a data URI. Remove it once the real image loads: many images are transparent',
    ),
    mp4: Nullable(
      Type.String({ format: 'uri' }),
      'H.264 MP4 in the original size, without audio or loop flag (`<video loop muted autoplay playsinline>`). ' +
        `Transparency becomes black. null for stills, over ${LIMITS.mp4MaxSeconds} s, ` +
        `over ${LIMITS.mp4MaxFrames} frames, or ${LIMITS.mp4DimensionLimit} px or larger. ` +
        'Converted on first request. It may still return 404: then fall back to the animated preview',
    ),
    previews: Previews,
  },
  { $id: 'Gif', description: 'One animated image' },
);
export type Gif = Static<typeof Gif>;
