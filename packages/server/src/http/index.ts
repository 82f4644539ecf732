export { addressOf } from './address.ts';
export { createApp, createEdgeApp } from './app.ts';
export { HttpConfig } from './config.ts';
export { closeIdleLater } from './connections.ts';
export type { EmbedderReport, HttpContext, Lease, NewReport } from './context.ts';
