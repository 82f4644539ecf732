/**
 * Returns the id of the GIF that a text names. People paste ids, and URLs of originals, previews or videos. All these URLs
 * contain the id.
 */
export function gifIdIn(text: string): string {
  if (!/^https?:/i.test(text)) return text;
  const parts = text.split(/[?#]/)[0]!.split('/');
  const name = parts.at(-1)!;
  // The address of a GIF's page has no ending.
  if (parts.at(-2) === 'g' && !name.endsWith('.gif')) return name.endsWith('~') ? name.slice(0, -1) : `${name}.gif`;
  const [sha256] = /^[0-9a-f]{64}(?=\.)/.exec(name) ?? [];
  return sha256 === undefined ? name : `${sha256}.gif`;
}
