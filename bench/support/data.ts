/** Data that benchmarks need but this repository does not contain, and where to get it. */
const SOURCES = {
  gifs: [
    'FOLDER: any folder of GIFs and WebPs. `npm start` draws the 378 GIFs of the starter catalogue into starter/noto of its',
    'data folder.',
  ],
  manifest: [
    'MANIFEST: JSON lines as `zoetrope add` reads them. A data folder has a small one: starter/noto/manifest.jsonl.',
  ],
  data: [
    'DATA-FOLDER: the data folder (ZOETROPE_DATA) of a service; `npm start` makes ./data with the starter catalogue.',
  ],
  log: [
    'QUERY-LOG: lines of t_ms, session, op (search, suggest or similar), q, kind and params between tabs; the first line',
    'holds these names. It may be packed with gzip (.gz). Make it from what your users search for.',
  ],
  both: [
    'FOLDER: holds catalogue.jsonl.gz, JSON lines as `zoetrope add` reads them, and queries.tsv.gz, lines of t_ms, session,',
    'op (search, suggest or similar), q, kind and params between tabs; the first line holds these names.',
  ],
};

/** Prints how to run a benchmark and where to get its data, and ends the program. */
export function endWithUsage(usage: string, ...needed: readonly (keyof typeof SOURCES)[]): never {
  console.error(`usage: npm run bench ${usage}`);
  for (const need of needed) console.error(SOURCES[need].join('\n'));
  process.exit(1);
}
