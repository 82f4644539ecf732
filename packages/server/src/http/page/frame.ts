import type { FastifyReply } from 'fastify';
import { withBasePath } from '../../base/base-path.ts';

/** Content security policy. From other hosts, the pages load only images. */
const POLICY = [
  "default-src 'none'",
  'img-src * data:',
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a page that shared caches must not store. @param publicUrl the service's public URL, whose path links need */
export function sendPage(reply: FastifyReply, html: string, publicUrl: string): FastifyReply {
  return sendBytes(reply, Buffer.from(withBasePath(html, publicUrl)));
}

/** Sends a page to which `withBasePath` was applied. */
export function sendBytes(reply: FastifyReply, page: Buffer): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'private, no-cache')
    .send(page);
}

export interface Framed {
  title: string;
  /** HTML of the body. Values in it must already be escaped. */
  body: string;
  /** Additional stylesheet. */
  style?: '/home.css' | '/site.css';
  script?: string;
}

export function renderFrame({ title, body, style = '/home.css', script }: Framed): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/base.css">
<link rel="stylesheet" href="${style}">
<link rel="icon" href="data:,">
${script === undefined ? '' : `<script type="module" src="${script}"></script>\n`}</head>
<body>
${body}
</body>
</html>
`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
