import { expectation, fields } from '../packages/server/src/config.ts';

const TITLES: Readonly<Record<string, string>> = {
  service: 'The service',
  http: 'Answers',
  registry: 'Registered clients',
  limits: 'Rate limits',
  media: 'Media',
  s3: 'Media in an S3 bucket',
  fetch: 'Downloads',
  embed: 'Search by meaning',
};

/** The page that lists every setting, made of the rooms' own schemas. */
export function renderConfiguration(): string {
  const lines = [
    '# Configuration',
    '',
    'Made by `npm run docs` out of the code; do not edit.',
    '',
    'Every setting has a default, and with nothing set everything works. A setting is read from the environment,',
    'else from `zoetrope.toml` or `zoetrope.json` in the working folder, where it stands under its table and name.',
    'All mistakes are reported at once, each by the name of its variable.',
  ];
  let table = '';
  for (const [part, name, field] of fields()) {
    if (part !== table) {
      lines.push(
        '',
        `## ${TITLES[part] ?? part}`,
        '',
        `| variable | in \`[${part}]\` | default | may be | what it does |`,
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
