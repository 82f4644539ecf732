export { createApp } from './app.ts';
export { HttpConfig } from './config.ts';
export type { HttpContext, Lease } from './context.ts';
