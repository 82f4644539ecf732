/** One statement of the specification: a sentence, a row of a table, or an item of a list. */
export interface Sentence {
  /** Position of the statement in the specification, from 1. */
  n: number;
  section: string;
  text: string;
}

/** The end of a sentence: a full stop, perhaps with a closing bracket, before a capital letter or the value `null`. */
const END = /(?<=\.\)?) +(?=["'`(]*[A-Z0-9]|null )/;
/** Lines such as `Rules:` are headings without Markdown's mark for headings. */
const LABEL = /^\w+(?: object)?:$/;

/**
 * Returns the statements of a specification in Markdown, in order. Headings name a section. Headings and table headers
 * are not statements. A table row is one statement. If a cell has several sentences, the row contains the first one,
 * and each of the other sentences becomes a statement that starts with the row's name.
 */
export function splitSpecification(markdown: string): Sentence[] {
  const sentences: Sentence[] = [];
  let section = '';
  const lines = markdown.split('\n');
  for (const [at, line] of lines.entries()) {
    const heading = /^#+ (.+)$/.exec(line);
    if (heading) section = heading[1]!;
    else if (isTableHead(lines, at) || line.trim() === '' || LABEL.test(line)) continue;
    else for (const text of statements(line)) sentences.push({ n: sentences.length + 1, section, text });
  }
  return sentences;
}

function isTableHead(lines: string[], at: number): boolean {
  const isRule = (line: string | undefined) => line !== undefined && /^\|[-| ]+\|$/.test(line);
  return isRule(lines[at]) || isRule(lines[at + 1]);
}

function statements(line: string): string[] {
  if (line.startsWith('|')) return rowStatements(line);
  return line.replace(/^(?:-|\d+\.) /, '').split(END);
}

function rowStatements(line: string): string[] {
  const cells = line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
  const rest: string[] = [];
  const first = cells.map((cell) => {
    const [sentence = '', ...others] = cell.split(END);
    rest.push(...others);
    return sentence;
  });
  return [first.filter((cell) => cell !== '').join(' | '), ...rest.map((sentence) => `${cells[0]} | ${sentence}`)];
}
