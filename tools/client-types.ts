/** Writes packages/client/src/contract.ts: the contract's schemas as plain types, without the schema library. */
import fs from 'node:fs';
import {
  CategoriesResponse,
  Category,
  GifResponse,
  GifsResponse,
  TermsResponse,
  TrendingResponse,
} from '../packages/contract/src/discovery.ts';
import { ERRORS, type ErrorCode } from '../packages/contract/src/errors.ts';
import { Gif, Preview, Previews } from '../packages/contract/src/gif.ts';
import { OPERATIONS } from '../packages/contract/src/operations.ts';
import { SearchMode, SearchResponse } from '../packages/contract/src/search.ts';
import { SimilarResponse } from '../packages/contract/src/similar.ts';
import { SuggestResponse, Term } from '../packages/contract/src/suggest.ts';

const TARGET = 'packages/client/src/contract.ts';

/** The parts of JSON Schema that the contract uses. */
interface Schema {
  type?: string;
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
}

const TYPES: Record<string, Schema> = {
  Preview,
  Previews,
  Gif,
  Term,
  SearchMode,
  SearchResponse,
  SuggestResponse,
  SimilarResponse,
  GifResponse,
  GifsResponse,
  TrendingResponse,
  TermsResponse,
  Category,
  CategoriesResponse,
};

/** Errors of the search API. The dashboard has other codes. */
const ANYWHERE = ['method_not_allowed', 'uri_too_long', 'headers_too_large', 'internal'] as const;

function typeOf(schema: Schema, self?: string): string {
  const known = Object.entries(TYPES).find(([name, type]) => name !== self && isSame(type, schema));
  if (known) return known[0];
  if ('const' in schema) return `'${String(schema.const)}'`;
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each)).join(' | ');
  if (schema.items) return `${typeOf(schema.items)}[]`;
  return schema.type === 'integer' ? 'number' : schema.type!;
}

function isSame(type: Schema, schema: Schema): boolean {
  return type === schema || (type.properties !== undefined && type.properties === schema.properties);
}

function declare(name: string, schema: Schema): string {
  const described = comment(schema.description ?? '', '');
  if (!schema.properties) return `${described}export type ${name} = ${typeOf(schema, name)};\n`;
  const fields = Object.entries(schema.properties).flatMap(([field, of]) => {
    // This field is only for the development client.
    if (field === 'explain') return [];
    const mark = schema.required?.includes(field) ? '' : '?';
    return [`${comment(of.description ?? '', '  ')}  ${field}${mark}: ${typeOf(of)};\n`];
  });
  return `${described}export interface ${name} {\n${fields.join('')}}\n`;
}

function comment(text: string, indent: string): string {
  return text === '' ? '' : `${indent}/** ${text}. */\n`;
}

/** Returns the expected content of the file. */
export function clientTypes(): string {
  const codes = new Set<ErrorCode>([...Object.values(OPERATIONS).flatMap(({ errors }) => [...errors]), ...ANYWHERE]);
  const table = [...codes].map((code) => `  /** ${ERRORS[code].status}: ${ERRORS[code].summary}. */\n  | '${code}'`);
  const types = Object.entries(TYPES).map(([name, schema]) => declare(name, schema));
  const errors = `/** Error codes of the service. */\nexport type ErrorCode =\n${table.join('\n')};\n`;
  return `/* Generated from the contract by tools/client-types.ts; do not edit. */\n\n${[...types, errors].join('\n')}`;
}

if (import.meta.main) fs.writeFileSync(TARGET, clientTypes());
