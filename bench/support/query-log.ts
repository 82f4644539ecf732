import fs from 'node:fs';
import zlib from 'node:zlib';

export interface LoggedQuery {
  op: 'search' | 'suggest' | 'similar';
  q: string;
  /** Number of results before the requested page of a search. */
  offset: number;
}

/**
 * Reads a query log: tab-separated lines with t_ms, session, op, q, kind and params, after a line with these names. A
 * file that ends in .gz is decompressed.
 */
export function readQueryLog(file: string): LoggedQuery[] {
  const bytes = fs.readFileSync(file);
  const text = (file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString('utf8');
  const [heading, ...lines] = text.trimEnd().split('\n');
  if (!heading?.startsWith('t_ms\tsession\top\tq')) throw new Error(`${file} is not a query log`);
  return lines.map((line) => {
    const [, , op, q, , params] = line.split('\t');
    const offset = Number(/offset=(\d+)/.exec(params ?? '')?.[1] ?? 0);
    return { op: op as LoggedQuery['op'], q: q!, offset };
  });
}
