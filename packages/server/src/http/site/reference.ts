import { ERRORS, type ErrorCode, OPERATIONS, type Operation, openApi } from '@zoetrope/contract';
import { escapeHtml } from '../page/frame.ts';

interface Parameter {
  name: string;
  in: 'query' | 'path';
  required: boolean;
  description: string;
  schema: {
    type?: string;
    enum?: string[];
    default?: unknown;
    minimum?: number;
    maximum?: number;
    minLength?: number;
    maxLength?: number;
    pattern?: string;
    anyOf?: Parameter['schema'][];
    const?: string;
  };
}

interface Schema {
  description?: string;
  properties?: Record<
    string,
    {
      description?: string;
      type?: string;
      $ref?: string;
      anyOf?: { type?: string; const?: string }[];
      items?: { $ref?: string; type?: string };
    }
  >;
}

/** Initial values for parameters without a default. */
const EXAMPLES: Record<string, string> = { q: 'happy dance', id: '' };

/** Returns the API reference, generated from the served description, with a console for each operation. */
export function renderReference(publicUrl: string): { main: string; sections: { id: string; title: string }[] } {
  const description = openApi(publicUrl) as unknown as {
    paths: Record<string, { get: { parameters?: Parameter[] } }>;
    components: { schemas: Record<string, Schema> };
  };
  const operations = Object.entries(OPERATIONS).map(([name, operation]) => {
    const { parameters = [] } = description.paths[operation.path]!.get;
    return renderOperation(name, operation, parameters);
  });
  const schemas = Object.entries(description.components.schemas).filter(([, { properties }]) => properties);
  const main = `<h1>API</h1>
<p>Three operations, all <code>GET</code>, all returning JSON. The machine-readable description is <a href="/api/v1/openapi.json">OpenAPI 3.1</a>.
All paths are relative to <code>${escapeHtml(publicUrl)}</code>.</p>
${operations.join('\n')}
<h2 id="resources">Resources</h2>
${schemas.map(([name, schema]) => renderSchema(name, schema)).join('\n')}`;
  const titles = Object.entries(OPERATIONS).map(([name, { summary }]) => ({ id: name, title: summary }));
  return { main, sections: [...titles, { id: 'resources', title: 'Resources' }] };
}

function renderOperation(
  name: string,
  { path, summary, description, errors }: Operation,
  parameters: Parameter[],
): string {
  const rows = parameters.map(({ name, required, description, schema }) => {
    const need = required ? 'required' : 'optional';
    return `<tr><th scope="row"><code>${name}</code></th><td>${need}</td><td>${escapeHtml(boundsOf(schema))}</td><td>${inline(description)}</td></tr>`;
  });
  const codes = errors.map(
    (code: ErrorCode) =>
      `<tr><th scope="row">${ERRORS[code].status}</th><td><code>${code}</code></td><td>${escapeHtml(ERRORS[code].summary)}</td></tr>`,
  );
  const fields = parameters
    .filter(({ name }) => name !== 'safe' && name !== 'explain')
    .map(({ name: field, schema, required }) => {
      const value = EXAMPLES[field] ?? '';
      const hint = schema.default === undefined || schema.default === null ? '' : String(schema.default);
      return `<label>${field}<input name="${field}" value="${value}" placeholder="${escapeHtml(hint)}"${required ? ' required' : ''}></label>`;
    });
  return `<section>
<h2 id="${name}">${escapeHtml(summary)}</h2>
<p class="route"><code>GET ${escapeHtml(path)}</code></p>
<p>${inline(description)}</p>
<div class="wide" tabindex="0"><table><thead><tr><th>parameter</th><th>required</th><th>values</th><th>description</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>
<details><summary>Errors</summary><div class="wide" tabindex="0"><table><tbody>${codes.join('\n')}</tbody></table></div></details>
<form class="console" data-path="${escapeHtml(path)}" aria-label="Try ${escapeHtml(name)}">${fields.join('')}<button type="submit">Try it</button>
<output aria-live="polite"></output></form>
</section>`;
}

function renderSchema(name: string, { description = '', properties = {} }: Schema): string {
  const rows = Object.entries(properties).map(
    ([field, schema]) =>
      `<tr><th scope="row"><code>${field}</code></th><td>${escapeHtml(typeOf(schema))}</td><td>${inline(schema.description ?? '')}</td></tr>`,
  );
  return `<h3 id="${name}">${name}</h3>
<p>${inline(description)}</p>
<div class="wide" tabindex="0"><table><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function typeOf({ type, $ref, anyOf, items }: NonNullable<Schema['properties']>[string]): string {
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (items !== undefined) return `array of ${items.$ref?.split('/').at(-1) ?? items.type ?? 'values'}`;
  if (anyOf !== undefined) return anyOf.map(({ type, const: value }) => value ?? type).join(' or ');
  return type ?? '';
}

function boundsOf(schema: Parameter['schema']): string {
  const { anyOf, default: preset, minimum, maximum, minLength, maxLength, pattern } = schema;
  const choices = anyOf?.flatMap((choice) => (choice.const === undefined ? [] : [choice.const])) ?? [];
  const inner = anyOf?.find(({ minimum }) => minimum !== undefined);
  const [low, high] = [minimum ?? inner?.minimum, maximum ?? inner?.maximum];
  const parts = [
    choices.length > 0 && choices.join(', '),
    low !== undefined && (high === undefined ? `from ${low}` : `${low} to ${high}`),
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    pattern,
    preset !== undefined && preset !== null && preset !== '' && `default ${String(preset)}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** Renders a description as HTML. Descriptions contain code in backticks. */
function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
