import type Type from 'typebox';
import {
  CategoriesResponse,
  Category,
  DISCOVERY,
  GifResponse,
  GifsResponse,
  TermsResponse,
  TrendingResponse,
} from './discovery.ts';
import { ErrorBody } from './error-body.ts';
import { ERRORS } from './errors.ts';
import { Gif, Preview } from './gif.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { Explanation, SearchResponse } from './search.ts';
import { SimilarResponse } from './similar.ts';
import { SuggestResponse, Term } from './suggest.ts';

/** Version of the description, fixed by the specification. */
export const DESCRIPTION_VERSION = '1.0.0';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An API that can be described. */
export interface DescribedApi {
  title: string;
  version: string;
  description: string;
  operations: Readonly<Record<string, Operation>>;
  /** The schemas that become named components of the description. */
  components: readonly Type.TSchema[];
}

const ATTRIBUTION =
  "Wherever these GIFs appear, show the text 'GIFs from' followed by the operator's name, as a visible link to the " +
  "operator's home page.";

/** The API of the specification. */
const SEARCH_API: DescribedApi = {
  title: 'Zoetrope GIF search',
  version: DESCRIPTION_VERSION,
  description: `Searches a catalogue of animated images for registered Nostr clients. ${ATTRIBUTION}`,
  operations: OPERATIONS,
  components: [Preview, Gif, Explanation, SearchResponse, Term, SuggestResponse, SimilarResponse, ErrorBody],
};

/** The operations that are not part of the specification. */
export const DISCOVERY_API: DescribedApi = {
  title: 'Zoetrope GIF discovery',
  version: '1.0.0',
  description:
    'Shows people what a catalogue has before they search. The same callers are admitted as for the search API, with ' +
    `the same limits. ${ATTRIBUTION}`,
  operations: DISCOVERY,
  components: [
    Preview,
    Gif,
    GifResponse,
    GifsResponse,
    TrendingResponse,
    TermsResponse,
    Category,
    CategoriesResponse,
    ErrorBody,
  ],
};

/** Returns a schema as plain JSON, with references to schemas that are components. */
function toJson(schema: unknown, components: readonly Type.TSchema[], root?: Type.TSchema): Json {
  if (Array.isArray(schema)) return schema.map((item) => toJson(item, components));
  if (typeof schema !== 'object' || schema === null) return schema as Json;
  const named = components.find((component) => component === schema || isVariantOf(component, schema));
  if (named && named !== root) return reference(named, schema);
  const entries = Object.entries(schema).filter(([key, value]) => key !== '$id' && typeof value !== 'function');
  return Object.fromEntries(entries.map(([key, value]) => [key, toJson(value, components)]));
}

/**
 * Returns whether a schema differs from the given component only in its description. For example, each of the four
 * previews differs only in this way.
 */
function isVariantOf(component: Type.TSchema, schema: object): boolean {
  const fields = (component as Partial<Type.TObject>).properties;
  return fields !== undefined && fields === (schema as Partial<Type.TObject>).properties;
}

function reference(component: Type.TSchema, schema: object): Json {
  const $ref = `#/components/schemas/${nameOf(component)}`;
  const { description } = schema as { description?: string };
  return component === schema || description === undefined ? { $ref } : { $ref, description };
}

function nameOf(schema: Type.TSchema): string {
  return (schema as { $id?: string }).$id ?? '';
}

function parameters(
  place: 'query' | 'path',
  schema: Type.TObject | undefined,
  components: readonly Type.TSchema[],
): Json[] {
  if (!schema) return [];
  const required = new Set<string>((schema as { required?: readonly string[] }).required ?? []);
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description = '', ...bounds } = toJson(property, components) as {
      description?: string;
      [key: string]: Json;
    };
    return { name, in: place, required: required.has(name), description, schema: bounds };
  });
}

function answers(operation: Operation, components: readonly Type.TSchema[]): Json {
  const jsonOf = (schema: Type.TSchema): Json => ({ 'application/json': { schema: toJson(schema, components) } });
  const out: { [status: string]: Json } = {
    200: { description: 'Found', content: jsonOf(operation.response) },
  };
  for (const code of operation.errors) {
    const { status, summary } = ERRORS[code];
    const line = `\`${code}\`: ${summary}`;
    const known = out[status] as { description: string } | undefined;
    if (known) known.description += `. ${line}`;
    else out[status] = { description: line, content: jsonOf(ErrorBody) };
  }
  return out;
}

/**
 * Returns the OpenAPI 3.1 description of an API as plain JSON.
 * @param server public base URL of the API, without a trailing slash
 * @param api the API of the specification by default
 */
export function openApi(server: string, api: DescribedApi = SEARCH_API): Json {
  const { title, version, description, operations, components } = api;
  const paths = Object.entries(operations).map(([operationId, operation]) => [
    operation.path,
    {
      get: {
        operationId,
        summary: operation.summary,
        description: operation.description,
        tags: ['gifs'],
        parameters: [
          ...parameters('path', operation.pathParameters, components),
          ...parameters('query', operation.query, components),
        ],
        responses: answers(operation, components),
      },
    },
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service', url: server },
    },
    servers: [{ url: server }],
    tags: [{ name: 'gifs', description: 'Animated images' }],
    security: [{ origin: [] }, { apiKey: [] }, { userAgent: [] }],
    paths: Object.fromEntries(paths) as Json,
    components: {
      securitySchemes: {
        origin: {
          type: 'apiKey',
          in: 'header',
          name: 'Origin',
          description:
            'A registered origin, which the browser sends. If a request has an origin, its other identifiers are ignored',
        },
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, for callers that send no Origin header' },
        userAgent: {
          type: 'apiKey',
          in: 'header',
          name: 'User-Agent',
          description: 'A registered User-Agent, for requests that have neither an Origin header nor an API key',
        },
      },
      schemas: Object.fromEntries(
        components.map((schema) => [nameOf(schema), toJson(schema, components, schema)]),
      ) as Json,
    },
  };
}
