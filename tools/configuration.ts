import { expectation } from '../packages/server/src/base/settings.ts';
import { type Config, fields } from '../packages/server/src/config.ts';

const TITLES: Readonly<Record<keyof Config, string>> = {
  service: 'The service',
  http: 'Requests and responses',
  index: 'Synonyms and offensive words',
  cluster: 'The index in a search cluster',
  registry: 'Registered clients',
  limits: 'Rate limits',
  media: 'Media',
  s3: 'Media in an S3 bucket',
  fetch: 'Downloads',
  embed: 'Search by meaning',
  account: 'The dashboard',
  payments: 'The registration fee',
  relays: 'Relays',
  sharing: 'Sharing a catalogue',
  enrich: 'Rating and captions',
};

/** Returns the page that lists every setting, generated from the rooms' own schemas. */
export function renderConfiguration(): string {
  const lines = [
    '# Configuration',
    '',
    'Generated from the code by `npm run docs`; do not edit.',
    '',
    'Every setting has a default that works. Settings come from environment variables, or from `zoetrope.toml` or',
    '`zoetrope.json` in the working folder, under the table and name given here. Environment variables override the files.',
    'If a setting is wrong or unknown, the service does not start, and lists all wrong settings.',
  ];
  let table = '';
  for (const [part, name, field] of fields()) {
    if (part !== table) {
      lines.push(
        '',
        `## ${TITLES[part as keyof Config]}`,
        '',
        `| variable | in \`[${part}]\` | default | values | description |`,
      );
      lines.push('|---|---|---|---|---|');
      table = part;
    }
    const cells = [
      `\`${field.env}\``,
      `\`${name}\``,
      `\`${JSON.stringify(field.default)}\``,
      expectation(field),
      field.description,
    ];
    lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}
