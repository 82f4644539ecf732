import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { Static } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Value } from 'typebox/value';
import { ServiceError } from '../base/errors.ts';
import { problemOfText } from '../base/plain-text.ts';

const BODY_BYTES = 16 * 1024;

/** Keeps bodies as raw bytes, because the body of a login is signed byte for byte. */
export function takeBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_, body, done) => done(null, body));
}

export function rawBody({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array();
}

/** Returns the checked body of a request. @throws ServiceError `validation` that names the field and its bound */
export function readBody<Schema extends Type.TSchema>(request: FastifyRequest, schema: Schema): Static<Schema> {
  const body = check(schema, parse(rawBody(request)), 'the body');
  refuseControls(body, '');
  return body;
}

/** Returns the checked query parameters of a request. @throws ServiceError `validation` that names the parameter */
export function readQuery<Schema extends Type.TSchema>({ url }: FastifyRequest, schema: Schema): Static<Schema> {
  return check(schema, Object.fromEntries(new URL(url, 'http://here').searchParams), 'the query');
}

function check<Schema extends Type.TSchema>(schema: Schema, given: unknown, whole: string): Static<Schema> {
  if (Value.Check(schema, given)) return given as Static<Schema>;
  const [error] = Value.Errors(schema, given);
  const field = error?.instancePath.slice(1).replaceAll('/', '.') || whole;
  throw new ServiceError('validation', `${field} ${error === undefined ? 'is invalid' : problemOf(error)}`);
}

function problemOf({ keyword, params, message }: TLocalizedValidationError): string {
  if (keyword === 'boolean') return 'is not known here';
  if (keyword === 'enum') return `must be one of ${params.allowedValues.filter((value) => value !== '').join(', ')}`;
  return message;
}

/** Fields that can have several lines. All other fields have one line. */
const LINES = new Set(['alt', 'description', 'note', 'reason']);

/** Checks all strings of a body. @throws ServiceError `validation` that names the field */
function refuseControls(value: unknown, field: string): void {
  if (typeof value === 'string') {
    const problem = problemOfText(value, LINES.has(field.split('.').at(-1)!) ? 'lines' : 'line');
    if (problem !== undefined) throw new ServiceError('validation', `${field} ${problem}`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) refuseControls(inner, field === '' ? name : `${field}.${name}`);
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ServiceError('validation', 'The body must be JSON in UTF-8');
  }
}
