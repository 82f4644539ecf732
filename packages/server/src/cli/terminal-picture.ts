/** Shows pictures in terminals, with the protocols of kitty and iTerm2. Both accept PNG. */

/** Maximum file size, in bytes. Larger files are not shown. The smallest previews always fit. */
const MAX_BYTES = 500_000;
const TIMEOUT_MS = 5_000;
/** Maximum chunk size of kitty's protocol, in bytes. Source: "Terminal graphics protocol", section "Remote client". */
const PIECE = 4_096;

type Env = Readonly<Record<string, string | undefined>>;

/** Returns whether this output can show pictures. */
export function showsPictures(output: { isTTY?: boolean }, env: Env): boolean {
  return output.isTTY === true && protocolOf(env) !== undefined;
}

function protocolOf({ TERM = '', TERM_PROGRAM = '' }: Env): 'kitty' | 'iterm' | undefined {
  if (TERM.includes('kitty') || TERM_PROGRAM === 'ghostty') return 'kitty';
  return ['iTerm.app', 'WezTerm'].includes(TERM_PROGRAM) ? 'iterm' : undefined;
}

/**
 * Returns the escape sequence for a PNG, or an empty string if the PNG cannot be fetched. Without the picture, the text
 * next to it is enough.
 */
export async function pictureOf(url: string, env: Env): Promise<string> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return answer.ok && bytes.length <= MAX_BYTES ? encodePicture(bytes, env) : '';
  } catch {
    return '';
  }
}

/** Encodes a PNG for the terminal. */
export function encodePicture(png: Uint8Array, env: Env): string {
  const text = Buffer.from(png).toString('base64');
  if (protocolOf(env) === 'iterm') return `\x1b]1337;File=inline=1;size=${png.length}:${text}\x07`;
  const pieces = text.match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? [];
  return pieces
    .map((piece, i) => `\x1b_G${i === 0 ? 'f=100,a=T,' : ''}m=${i === pieces.length - 1 ? 0 : 1};${piece}\x1b\\`)
    .join('');
}
