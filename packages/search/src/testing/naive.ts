import { analyse, analyseDocument } from '../analysis/analyse.ts';
import { normaliseQuery } from '../analysis/normalise.ts';
import type { IndexDocument } from '../build/document.ts';

/**
 * The searcher's twin: the same ranking written down as plainly as can be, with maps and a sort, for tests to compare
 * with. It shares the analysis, and states every formula and constant anew; only the two roundings that decide
 * ties (impacts to 8 bits, weights to whole numbers) are the searcher's own.
 */
export class NaiveSearcher {
  readonly #impacts: Map<string, number>[];
  readonly #safeDocuments: number;

  /** `documents` in the order of a build. */
  constructor(documents: readonly IndexDocument[]) {
    const fields = documents.map(analysedFields);
    const averages = [0, 1, 2, 3].map((i) =>
      mean(fields.map((field) => field[i]!.length).filter((length) => length > 0)),
    );
    this.#impacts = fields.map((field) => impactsOf(field, averages));
    this.#safeDocuments = documents.filter(({ adult }) => !adult).length;
  }

  /** Document numbers, best first. */
  search(query: string, limit: number, hidden: ReadonlySet<number> = new Set()): number[] {
    const weights = this.#weights(query);
    return [...this.#impacts.slice(0, this.#safeDocuments).entries()]
      .map(([document, impacts]) => {
        const matched = [...weights.keys()].filter((term) => impacts.has(term));
        const score = matched.reduce((sum, term) => sum + weights.get(term)! * impacts.get(term)!, 0);
        return { document, coverage: matched.length, score };
      })
      .filter(({ document, coverage }) => coverage > 0 && !hidden.has(document))
      .sort((a, b) => b.coverage - a.coverage || b.score - a.score || a.document - b.document)
      .slice(0, limit)
      .map(({ document }) => document);
  }

  #weights(query: string): Map<string, number> {
    const safe = this.#impacts.slice(0, this.#safeDocuments);
    const idfs = new Map<string, number>();
    for (const term of analyse(normaliseQuery(query))) {
      const frequency = safe.filter((impacts) => impacts.has(term)).length;
      if (frequency > 0) idfs.set(term, Math.log(1 + (safe.length - frequency + 0.5) / (frequency + 0.5)));
    }
    const sum = [...idfs.values()].reduce((total, idf) => total + idf, 0);
    return new Map([...idfs].map(([term, idf]) => [term, Math.floor((idf / sum) * ((2 ** 24 - 1) / 255))]));
  }
}

function analysedFields({ title, tags, series, characters, text }: IndexDocument): string[][] {
  return [[title], [...tags, ...series], characters, [text]].map((values) => values.flatMap(analyseDocument));
}

function impactsOf(fields: string[][], averages: number[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const [i, terms] of fields.entries()) {
    const weight = [8, 4, 4, 1][i]! / (0.6 + 0.4 * (terms.length / averages[i]!));
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + weight);
  }
  return new Map([...frequencies].map(([term, f]) => [term, Math.max(1, Math.round(255 * (f / (1.2 + f))))]));
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
