import { runCli } from './cli/index.ts';

process.exit(await runCli(process.argv.slice(2)));
