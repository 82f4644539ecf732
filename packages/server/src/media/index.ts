export type { BlobStore } from '../platform/blobs/index.ts';
export { linkPolicy, MediaConfig } from './config.ts';
export { damageOf } from './damage.ts';
export {
  type Derivative,
  derivativePath,
  FITS,
  type Fit,
  idOfName,
  MEDIA_FORMATS,
  type MediaFormat,
  type MediaPath,
  mp4Allowed,
  nameOfId,
  originalPath,
  type PreviewSize,
  parseMediaPath,
  previewSizes,
  VIDEOS,
} from './derivatives.ts';
export type { FileFacts, LinkBook, LinkVerdict } from './linked/link-book.ts';
export { type BlobHandle, createMedia, type Ingested, type IngestOptions, type Media } from './media.ts';
export type { StoredDerivative } from './on-demand.ts';
export type { MediaOptions } from './options.ts';
export { RECIPE } from './recipe.ts';
export { MediaRefusal, type RefusalReason } from './refusal.ts';
export { contentKey, derivativeFile, derivativeFiles, type MediaSource, originalKey } from './source.ts';
export { findVideoEncoder, type VideoEncoderName } from './video-encoder.ts';
export { even } from './worker/film.ts';
