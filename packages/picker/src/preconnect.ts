/**
 * Opens a connection for images while the first response is loading. The connection must be opened without cookies,
 * because the images are requested without cookies, and browsers keep connections with and without cookies separate.
 */
export function preconnect(service: string): void {
  const link = Object.assign(document.createElement('link'), { rel: 'preconnect', href: service });
  document.head.append(link);
  link.remove();
}
