import fs from 'node:fs';
import { expect, test } from 'vitest';

/** Phrases that readers had to decode, and the plain word for each. STYLE.md has the rules. */
const RETIRED: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\banew\b/i, 'again; made anew: rebuilt'],
  [/\bwhoever\b/i, 'the person, program or request that is meant'],
  [/\bas it is told\b|\bthan (is|are) told\b|\btold of (it|them|a GIF)\b/i, 'reported, claimed; the noun: metadata'],
  [/\btells? of\b/i, 'reports, claims or contains'],
  [/\b(is|are|be|was|were) told so\b/i, 'gets a message, an error or a warning'],
  [/\bhears? of\b/i, 'is notified of'],
  [/\bsays so\b/i, 'reports it'],
  [/\b(is|are|be|been|was|were) taken in\b|\btak(e|es|ing) GIFs in\b/i, 'ingested, added'],
  [/\b(is|are|be|been|was|were) taken out\b|\bout of every answer\b/i, 'removed, hidden, withheld'],
  [/\bkept answers?\b|\banswers? (is|are|stays?) kept\b/i, 'cached response'],
  [/\b(its|their|a GIF's|by|of) looks\b/i, 'appearance, what the picture looks like'],
  [/\bways? in\b/i, 'registered origins, keys or User-Agents'],
  [/\bby (that|this) one\b/i, 'with it'],
  [/\bworthless\b/i, 'revoked'],
  [/\bwhat of (these|those|them|it|that)\b/i, 'which part of them, or the share of'],
  [/(?<!\p{L} )\bof (these|those) the\b/iu, 'a sentence that begins with its subject'],
  [/\bsays? other words\b/i, 'overrides'],
  [/\bcommas? between\b/i, 'separated by commas'],
  [/\bnobody answers for\b/i, 'nobody vouches for'],
  [/\bstays? free\b/i, 'is kept free'],
  [/\bby the head of (its|the) answer\b/i, 'by the response headers'],
  [/\bis no (setting|address|model|whole|backup|public key)\b/i, 'is not a'],
  [/\b(it is|is then) tried again\b/i, 'trying again'],
  [/\bword's worth\b/i, 'nothing: delete the sentence'],
];

/**
 * Patterns of the files with text that people read: pages, help, settings and messages in the sources, and all
 * documents.
 */
const CODE = 'packages/*/src/**/*.{ts,js}';
const TEXT = ['*.md', 'docs/**/*.md', 'examples/**/*.md', '{packages/*,bench,eval,tools,test,deploy/*}/README.md'];
const EXCEPT = new Set([
  // A change of the terms would require every owner to accept them again.
  'packages/server/src/account/terms.ts',
  // STYLE.md quotes the old versions of sentences.
  'STYLE.md',
]);

const sources = fs
  .globSync(CODE)
  .filter((file) => !file.includes('.test.') && !file.includes('/testing/') && !EXCEPT.has(file))
  .map((file) => ({ file, lines: withoutComments(fs.readFileSync(file, 'utf8')) }));
const documents = TEXT.flatMap((pattern) => fs.globSync(pattern))
  .filter((file) => !file.includes('node_modules') && !EXCEPT.has(file))
  .map((file) => ({ file, lines: fs.readFileSync(file, 'utf8').split('\n') }));

test('texts for people use none of the retired words', () => {
  const found = [...sources, ...documents].flatMap(({ file, lines }) => retiredIn(file, lines));
  expect(found.join('\n')).toBe('');
});

test('a retired word is reported with its place and the better word', () => {
  expect(retiredIn('a.ts', ['', "'build the index anew'"])).toEqual([
    'a.ts:2: "anew". Better: again; made anew: rebuilt',
  ]);
  expect(withoutComments("// anew\nx = 'y'; // whoever\n/* told so\n * anew */ z").join('\n')).not.toMatch(
    /anew|who|so/,
  );
  expect(retiredIn('b.md', ['Of these the first decides.', 'GIFs that are kept in a folder'])).toHaveLength(1);
});

/** Participles that were names of types. They say what happened to a thing, and not what it is. */
const PARTICIPLES =
  'Answered|Asked|Begun|Buried|Found|Framed|Heard|Held|Kept|Known|Made|Opened|Seen|Shown|Sought|Taken|TakenOut|Told|Tried|Typed|Used|Wanted|Written';

test('the name of a type is a noun', () => {
  const named = new RegExp(`\\b(?:interface|type|class) (?:${PARTICIPLES})\\b(?! *[,}])`);
  const found = sources.flatMap(({ file, lines }) =>
    lines.flatMap((line, i) => (named.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
  expect(named.test('export interface Wanted {')).toBe(true);
});

function retiredIn(file: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, i) =>
    RETIRED.flatMap(([phrase, better]) => {
      const match = phrase.exec(line);
      return match ? [`${file}:${i + 1}: "${match[0]}". Better: ${better}`] : [];
    }),
  );
}

/**
 * Returns the lines of a source without its comments. Strings that look like comments are blanked, too. People never
 * read such strings.
 */
function withoutComments(source: string): string[] {
  const blank = (comment: string) => comment.replace(/[^\n]/g, '');
  return source
    .replace(/(?<![:'"`\\\w])\/\*[\s\S]*?\*\//g, blank)
    .replace(/(?<=^|\s)\/\/ .*$/gm, '')
    .split('\n');
}
