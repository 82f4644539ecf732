import { lowerPriority } from './cli/priority.ts';

const args = process.argv.slice(2);
// Before the program is loaded, configuration and all, which keeps a core busy for half a second.
lowerPriority(args[0], process.env['ZOETROPE_DATA'] || './data');
const { runCli } = await import('./cli/index.ts');

process.exit(await runCli(args));
