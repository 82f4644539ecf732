import fs from 'node:fs';
import * as contract from '../packages/contract/src/account/index.ts';
import { ACCOUNT_BASE, ACCOUNT_ROUTES } from '../packages/contract/src/account/index.ts';

/** The part of a JSON schema that the page shows. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

/** Returns the page about the API of operators, generated from the contract. */
export function renderOperatorsApi(): string {
  const routes = routesOfOperators();
  const text = routes.map(({ about }) => about).join(' ');
  const named = Object.entries(contract).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  return `${[
    "# The operators' API",
    '',
    'Generated from the code by `npm run docs`; do not edit.',
    '',
    "The console of the dashboard uses this API. It is not a public API: it can change with each version, and it accepts only the service's own",
    `pages. All paths begin with \`${ACCOUNT_BASE}\`.`,
    '',
    '**Who can use it.** Only people who are signed in and whose public key is in `ZOETROPE_ADMINS` or in the registry (`zoetrope operator',
    'list`). Everybody else gets 401 `not_signed_in` or 403 `forbidden`. After `zoetrope operator remove`, sessions lose the right immediately.',
    'If you remove a key from `ZOETROPE_ADMINS` and restart the service, its sessions lose the right, too.',
    'A request that changes something also needs the `Origin` of `ZOETROPE_PUBLIC_URL` and the header `X-CSRF-Token`, whose value is `csrf` in',
    'the response to `GET /account`. A body is JSON unless the table says otherwise. Errors have the shape `{"error": {"code", "message"}}`.',
    '',
    '## Routes',
    '',
    'Before the arrow is what the request contains, and after it what the response contains.',
    '',
    '| route | contents |',
    '|---|---|',
    ...routes.map(({ route, about }) => `| \`${route}\` | ${cell(about)} |`),
    '',
    '## Shapes',
    ...named.flatMap(([name, schema]) => ['', `### ${name}`, '', ...renderShape(schema as Schema)]),
  ].join('\n')}\n`;
}

/** Returns the routes of operators, each with its comment in the source of the contract. */
function routesOfOperators(): { route: string; about: string }[] {
  const source = fs.readFileSync('packages/contract/src/account/routes.ts', 'utf8');
  return Object.entries(ACCOUNT_ROUTES)
    .filter(([, route]) => /^\w+ \/review(\/|$)/.test(route))
    .map(([name, route]) => {
      const before = source.slice(0, source.indexOf(`\n  ${name}: `));
      const about = before.slice(before.lastIndexOf('/**') + 3, before.lastIndexOf('*/'));
      const plain = about.replace(/\s*\n\s*\*?\s*/g, ' ').trim();
      return { route, about: plain.replace('This route and all routes below are only for operators. ', '') };
    });
}

function renderShape(schema: Schema): string[] {
  if (schema.anyOf !== undefined && schema.properties === undefined) {
    return ['One of these:', '', ...schema.anyOf.flatMap((one) => [...renderShape(one), ''])].slice(0, -1);
  }
  if (schema.properties === undefined) return [`${typeOf(schema)}.`];
  const required = schema.required ?? [];
  return [
    '| field | type | meaning |',
    '|---|---|---|',
    ...Object.entries(schema.properties).map(([name, field]) => {
      return `| \`${name}\`${required.includes(name) ? '' : ' (optional)'} | ${cell(typeOf(field))} | ${cell(field.description ?? '')} |`;
    }),
  ];
}

function typeOf({ type, items, properties, anyOf, enum: values, ...rest }: Schema): string {
  if (rest.const !== undefined) return JSON.stringify(rest.const);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (items !== undefined)
    return `list of ${typeOf(items)}${rest.maxItems === undefined ? '' : `, at most ${rest.maxItems}`}`;
  if (properties !== undefined) {
    const fields = Object.entries(properties).map(([name, field]) => `\`${name}\` ${typeOf(field)}`);
    return `{ ${fields.join('; ')} }`;
  }
  const length = rest.maxLength === undefined ? '' : `, at most ${rest.maxLength} characters`;
  return `${type ?? 'anything'}${length}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
