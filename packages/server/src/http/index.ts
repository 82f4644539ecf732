export { addressOf, isLocal } from './address.ts';
export { createApp, createEdgeApp } from './app.ts';
export { closeIdleLater } from './connections.ts';
export type {
  EmbedderReport,
  FoundSearch,
  Health,
  HttpContext,
  Lease,
  NewReport,
  RelayFacts,
  SearchState,
  WantedEvents,
} from './context.ts';
export { readTopics } from './discovery/topics.ts';
export { readFaces } from './faces/setting.ts';
export { findGifs } from './results.ts';
