import Type, { type Static } from 'typebox';
import { ID_PATTERN, LIMITS } from './limits.ts';

const Nullable = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const Pixels = (description: string) => Type.Integer({ minimum: 1, description });
const Address = (description: string) => Type.String({ format: 'uri', description });

export const Preview = Type.Object(
  {
    width: Pixels('Width of this preview; use it and `height` to lay out tiles'),
    height: Pixels('Height of this preview'),
    animated: Nullable(
      Type.String({ format: 'uri' }),
      'Animated WebP, regardless of the file extension. null if the image is too large to animate; then use `still`',
    ),
    still: Address('First frame as PNG: for use while the animation loads, with reduced motion, and as a fallback'),
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
  { description: 'Smaller versions of the GIF, for grids and rows' },
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
      'SHA-256 of the original, in hexadecimal; null if the service has not read the whole file. Do not use the `id` instead',
    ),
    verified: Type.Boolean({
      description:
        'Whether `width`, `height` and `format` were read from the file. false: they come from the catalogue or are ' +
        'a guess, are only good enough to lay out tiles, and must not be used in a note',
    }),
    url: Address('The original file, to post in a note. It often has several megabytes; do not use it in grids'),
    width: Pixels('In pixels, of the original'),
    height: Pixels('In pixels, of the original'),
    frames: Nullable(Type.Integer({ minimum: 1 }), 'Number of frames, if known'),
    duration: Nullable(Type.Number({ minimum: 0 }), 'Duration of one loop in seconds, if known'),
    bytes: Nullable(Type.Integer({ minimum: 0 }), 'Size of the original, if known'),
    format: GifFormat,
    title: Type.String({ description: 'Can be empty' }),
    tags: Type.Array(Type.String()),
    lqip: Nullable(
      Type.String({ pattern: '^data:image/' }),
      'Tiny blurred placeholder as a data URI, of the first frame that shows something. ' +
        'Remove it when the real image has loaded: many images are transparent',
    ),
    transparent: Nullable(
      Type.Boolean(),
      'true if a decoded frame has transparent pixels. The MP4 shows them in black, so that dark pixels beside them ' +
        'cannot be seen: use the animated preview instead. ' +
        'null if no such pixel was found, or the file was not decoded',
    ),
    blankStill: Nullable(
      Type.Boolean(),
      'true if the decoded first frame, and so each `still`, has only one colour or is transparent: show `lqip` ' +
        'instead. null if it shows something, or the file was not decoded',
    ),
    mp4: Nullable(
      Type.String({ format: 'uri' }),
      'H.264 MP4 in the original size, without audio or loop flag (`<video loop muted autoplay playsinline>`). ' +
        `Transparency becomes black (see \`transparent\`). null for stills, over ${LIMITS.mp4MaxSeconds} s, ` +
        `over ${LIMITS.mp4MaxFrames} frames, or ${LIMITS.mp4DimensionLimit} px or larger. ` +
        'It is made when first requested. If it returns 404, use the animated preview instead',
    ),
    previewMp4: Nullable(
      Type.String({ format: 'uri' }),
      'H.264 MP4 in the size of `previews.w240` (an odd side is one pixel longer), without audio or loop flag. It usually ' +
        'has about half the bytes of the animated preview. null if `mp4` is null or `transparent` is true. It is made ' +
        'when first requested. If it returns 404, use the animated preview instead',
    ),
    previews: Previews,
  },
  { $id: 'Gif', description: 'One animated image' },
);
export type Gif = Static<typeof Gif>;
