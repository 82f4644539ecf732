/**
 * Opens a connection for images while the first response is loading. It opens the connection without cookies, because
 * images are requested without cookies, and browsers do not use a connection with cookies for them.
 */
export function preconnect(service: string): void {
  const link = Object.assign(document.createElement('link'), { rel: 'preconnect', href: service });
  document.head.append(link);
  link.remove();
}
