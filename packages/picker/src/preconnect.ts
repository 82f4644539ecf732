/**
 * Opens a connection for images while the first response is loading. The link has no `crossorigin`, as the images have
 * none, because browsers use separate connections for requests with and without it.
 */
export function preconnect(service: string): void {
  const link = Object.assign(document.createElement('link'), { rel: 'preconnect', href: service });
  document.head.append(link);
  link.remove();
}
