// Runs `npm start`, `npm test` and the other scripts in the root package.json.
import path from 'node:path';
import { endable, findNode, npmCi, root, run } from './launch.mjs';
import { prepare, runService } from './runtime.mjs';

const PROGRAMS = {
  test: 'tools/checks/test.ts',
  lint: 'tools/checks/lint.ts',
  bench: 'bench/run.ts',
  eval: 'eval/main.ts',
  'eval:similar': 'eval/similar.ts',
  docs: 'tools/docs.ts',
  pack: 'tools/pack.ts',
  fuzz: 'tools/fuzz.ts',
};

/** The task that installs the packages of folders of tools, which only tests need. */
const INSTALL = 'install';
/** The task that only makes the preparations for the other tasks. */
const PREPARE = 'prepare';
const NEED_MODELS = [PREPARE, 'test', 'bench', 'eval', 'eval:similar', 'fuzz', 'pack'];
const NEED_BUNDLES = [PREPARE, 'test', 'bench', 'pack'];

const [task, ...args] = process.argv.slice(2);
if (task === 'start') await runService(['serve', ...args]);
else if (task === INSTALL) {
  await endable(() => Promise.all(args.map((folder) => npmCi(process.execPath, path.resolve(root, folder)))));
} else {
  const node = await findNode();
  // Tests can also run the service from its sources.
  const bundles = NEED_BUNDLES.includes(task) && !args.includes('--sources');
  await prepare(node, { dev: true, models: NEED_MODELS.includes(task), bundles });
  if (task !== PREPARE) run(node, PROGRAMS[task], args);
}
