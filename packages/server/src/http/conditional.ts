/** Bytes `start` to `end`, inclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns whether the caller already has the current representation. Compares the request's If-None-Match with our
 * ETag.
 */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // The comparison is weak, so a W/ prefix, which a compressing proxy adds, does not matter.
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/**
 * Returns the requested part of `size` bytes, or null for all bytes. Also returns null if the request has several
 * ranges, an invalid range, or an If-Range for another representation.
 */
export function readRange(
  headers: { readonly range?: string | undefined; readonly 'if-range'?: string | undefined },
  etag: string,
  size: number,
): Range | 'unsatisfiable' | null {
  const condition = headers['if-range'];
  if (condition !== undefined && condition !== etag) return null;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (first === '') return readSuffix(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start < size ? { start, end } : 'unsatisfiable';
}

function readSuffix(length: number, size: number): Range | 'unsatisfiable' {
  return length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
}
