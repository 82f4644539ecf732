/**
 * Returns the path of the service's public URL, without a slash at the end. The path is empty unless a proxy adds one.
 */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}

/**
 * Puts the path of the service's public URL before all links of a page within the service, and passes the path to
 * scripts. Texts in a page are escaped, so they cannot look like links.
 */
export function withBasePath(html: string, publicUrl: string): string {
  const basePath = basePathOf(publicUrl).replaceAll('&', '&amp;');
  if (basePath === '') return html;
  return html
    .replace(/(\s(?:href|src|action)=")\/(?!\/)/g, (_, start: string) => `${start}${basePath}/`)
    .replace('<html ', () => `<html data-base="${basePath}" `);
}
