/**
 * Returns the id of the GIF that a text names. People paste ids, and URLs of originals, previews or videos. All these URLs
 * contain the id.
 */
export function gifIdIn(text: string): string {
  if (!/^https?:/i.test(text)) return text;
  const name = text.split(/[?#]/)[0]!.split('/').at(-1)!;
  const [sha256] = /^[0-9a-f]{64}(?=\.)/.exec(name) ?? [];
  return sha256 === undefined ? name : `${sha256}.gif`;
}
