export { addressOf } from './address.ts';
export { createApp, createEdgeApp } from './app.ts';
export { closeIdleLater } from './connections.ts';
export type { EmbedderReport, HttpContext, Lease, NewReport } from './context.ts';
