import type { FastifyInstance, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { Static } from 'typebox';
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
  const body = parse(rawBody(request));
  if (Value.Check(schema, body)) {
    refuseControls(body, '');
    return body as Static<Schema>;
  }
  const [error] = Value.Errors(schema, body);
  const field = error?.instancePath.slice(1).replaceAll('/', '.') || 'the body';
  throw new ServiceError('validation', `${field} ${error?.message ?? 'is invalid'}`);
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
