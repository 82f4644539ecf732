export { die, endWithService } from './child.ts';
export { execNice, ProcessDied, type Program, Subprocess } from './subprocess.ts';
