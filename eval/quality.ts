import type { RunRecord } from './record.ts';
import { figureTable, gaps, gateTable, setsOf, type Table } from './report.ts';

/** The page that says how well the service finds, made of one run and of what is known about its causes. */
export function renderQuality(run: RunRecord, causes: string): string {
  const { rows, safe, filler } = run.catalogue;
  const missed = run.gates.filter(({ status }) => status !== 'passed');
  const lines = [
    '# How well it finds',
    '',
    'Made by `npm run eval -- --write`; do not edit.',
    '',
    'Judgements were made by people who know nothing of this project: two annotators of one GIF, two posters of one',
    'GIF, tags set by hand, the names of emoji in thirteen languages, real misspellings. Their data is not part of this',
    'repository. Half of each set is kept back from development; below is the other half.',
    '',
    `- date: ${run.date}, commit ${run.commit}`,
    `- command: \`${run.command}\` (${run.requests} requests, ${run.seconds} s)`,
    `- catalogue: ${rows} GIFs, ${safe} of them safe${filler ? ', photo captions included' : ''}`,
    `- meaning leg: ${run.embedder}`,
    '',
    '## Gates',
    '',
    `${run.gates.length - missed.length} of ${run.gates.length} passed. \`margin\` is the distance to the gate; where it is that to words alone, 95 % of what it may be by chance stands beside it.`,
    '',
    ...markdown(gateTable(run)),
    '',
    ...gapLines(run),
    '## Causes of what is missing',
    '',
    causes.trimEnd(),
    '',
    '## Figures',
    '',
    'Every figure stands with its 95 % interval (bootstrap over GIFs, concepts or words, 1000 resamples); differences',
    'inside it are chance. `n`: questions. `P@24`: right GIFs among the first 24, as a share of as many as there could',
    'be. `recall@k`: how often the one right GIF is among the first k. `hit@8`: how often the word meant is among 8',
    'terms. `same`: how often two ways of writing an emoji found the same list, which two empty lists are; `answered`: how',
    'often both found anything at all.',
  ];
  for (const set of setsOf(run)) {
    const table = withoutLast(figureTable(set, run, undefined));
    if (table.length > 0) lines.push('', `### ${set}`, '', ...markdown(table));
  }
  return `${lines.join('\n')}\n`;
}

function gapLines(run: RunRecord): string[] {
  const found = gaps(run).map((gap) => `- ${gap}`);
  return found.length > 0 ? ['Without figures:', '', ...found, ''] : [];
}

function withoutLast(table: Table): Table {
  return table.map((row) => row.map((cell) => cell.replace(/ \(new\)$/, '')));
}

function markdown([head = [], ...rows]: Table): string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}
