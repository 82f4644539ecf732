import { lowerPriority } from './cli/priority.ts';

const args = process.argv.slice(2);
// The priority is lowered before the program is loaded, because loading keeps a core busy for half a second.
if (!args.includes('--now')) lowerPriority(args[0], process.env['ZOETROPE_DATA'] || './data');
const { runCli } = await import('./cli/index.ts');

process.exit(await runCli(args));
