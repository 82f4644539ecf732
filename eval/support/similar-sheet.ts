import fs from 'node:fs';
import sharp from 'sharp';

/** A GIF and the GIFs that look most like it, nearest first. */
export interface SheetRow {
  readonly file: string;
  readonly nearest: readonly { readonly file: string; readonly score: number }[];
}

const SIDE = 96;

/** Writes a page that shows the rows as embedded pictures. */
export async function writeSheet(rows: readonly SheetRow[], target: string): Promise<void> {
  const lines: string[] = [];
  for (const { file, nearest } of rows) {
    const cells = [`<td class="query">${await image(file)}</td>`];
    for (const near of nearest) cells.push(`<td>${await image(near.file)}<br>${near.score.toFixed(2)}</td>`);
    lines.push(`<tr>${cells.join('')}</tr>`);
  }
  const style = 'td{text-align:center;font:12px sans-serif}.query{border-right:3px solid #000;padding-right:8px}';
  fs.writeFileSync(
    target,
    `<!doctype html><meta charset="utf-8"><style>${style}</style><table>${lines.join('\n')}</table>\n`,
  );
}

async function image(file: string): Promise<string> {
  const png = await sharp(file, { page: 0 })
    .flatten({ background: '#fff' })
    .resize(SIDE, SIDE, { fit: 'contain', background: '#eee' })
    .png({ palette: true })
    .toBuffer();
  return `<img width="${SIDE}" height="${SIDE}" src="data:image/png;base64,${png.toString('base64')}">`;
}
