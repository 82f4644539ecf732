import fs from 'node:fs';
import zlib from 'node:zlib';

export interface LoggedQuery {
  op: 'search' | 'suggest' | 'similar';
  q: string;
  /** Of a search, which page. */
  offset: number;
}

/**
 * Reads a log of queries: lines of t_ms, session, op, q, kind and params between tabs, the first with the names; packed
 * with gzip if it ends in .gz.
 */
export function readQueryLog(file: string): LoggedQuery[] {
  const bytes = fs.readFileSync(file);
  const text = (file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString('utf8');
  const [heading, ...lines] = text.trimEnd().split('\n');
  if (!heading?.startsWith('t_ms\tsession\top\tq')) throw new Error(`${file} is no query log`);
  return lines.map((line) => {
    const [, , op, q, , params] = line.split('\t');
    const offset = Number(/offset=(\d+)/.exec(params ?? '')?.[1] ?? 0);
    return { op: op as LoggedQuery['op'], q: q!, offset };
  });
}
