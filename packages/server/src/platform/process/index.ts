export { die, endWithService } from './child.ts';
export { ProcessDied, type Program, Subprocess } from './subprocess.ts';
