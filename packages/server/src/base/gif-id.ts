/**
 * Returns the id of the GIF in a text. The text can be an id, or the URL of an original, a preview or a video. These
 * URLs contain the id.
 */
export function gifIdIn(text: string): string {
  if (!/^https?:/i.test(text)) return text;
  const parts = text.split(/[?#]/)[0]!.split('/');
  const name = parts.at(-1)!;
  // The URL of a GIF's page has no ending.
  if (parts.at(-2) === 'g' && !name.endsWith('.gif')) return name.endsWith('~') ? name.slice(0, -1) : `${name}.gif`;
  const [sha256] = /^[0-9a-f]{64}(?=\.)/.exec(name) ?? [];
  return sha256 === undefined ? name : `${sha256}.gif`;
}
