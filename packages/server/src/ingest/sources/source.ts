import fs from 'node:fs';
import path from 'node:path';
import type { Part } from '@zoetrope/starter';
import { OperatorError } from '../../base/errors.ts';
import { oddKind } from './open-file.ts';

/** A source of GIFs, as the operator specified it. */
export type Source =
  | { type: 'folder'; path: string }
  | { type: 'manifest'; path: string; line: number }
  | { type: 'file'; path: string; awaitsReview?: boolean }
  | { type: 'starter'; pack: 'noto' | 'fluent'; part?: Part };

/** Returns the displayed name of a source: its path, or the operator's argument for a starter pack. */
export function nameOf(source: Source): string {
  if ('path' in source) return source.path;
  const pack = source.pack === 'noto' ? 'starter' : `starter:${source.pack}`;
  return source.part === undefined ? pack : `${pack}, ${source.part}`;
}

/**
 * Returns whether nobody waits for a source. Nobody waits for the second part of the starter catalogue of a new
 * service.
 */
export function isLater(source: Source): boolean {
  return source.type === 'starter' && source.part === 'rest';
}

/**
 * Parses an argument of `zoetrope add`.
 * @throws OperatorError if the source does not exist or cannot be added
 */
export function parseSource(argument: string): Source {
  if (argument === 'starter') return { type: 'starter', pack: 'noto' };
  if (argument === 'starter:fluent') return { type: 'starter', pack: 'fluent' };
  const full = path.resolve(argument);
  const stat = statOf(full, argument);
  const kind = oddKind(stat);
  if (kind !== undefined && !stat.isDirectory()) {
    throw new OperatorError(`${argument}: it is ${kind}; only folders and regular files are read`);
  }
  if (stat.isDirectory()) return { type: 'folder', path: readable(full, argument) };
  if (/\.(jsonl|ndjson|json)(\.gz)?$/i.test(full)) return { type: 'manifest', path: readable(full, argument), line: 0 };
  if (/\.(gif|webp)$/i.test(full)) return { type: 'file', path: readable(full, argument) };
  throw new OperatorError(
    `${argument}: not a folder, a manifest (.jsonl, .ndjson or .json, plain or .gz), or a .gif or .webp file`,
  );
}

function statOf(full: string, argument: string): fs.Stats {
  try {
    return fs.statSync(full);
  } catch (cause) {
    throw new OperatorError(`${argument}: there is no such file or folder`, { cause });
  }
}

function readable(full: string, argument: string): string {
  try {
    fs.accessSync(full, fs.constants.R_OK);
    if (fs.statSync(full).isDirectory()) fs.readdirSync(full);
    return full;
  } catch (cause) {
    throw new OperatorError(`${argument}: it cannot be read; check its permissions`, { cause });
  }
}
