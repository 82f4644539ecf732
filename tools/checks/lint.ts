import { runChecks } from './checks.ts';

process.exitCode = (await runChecks()).failed === 0 ? 0 : 1;
