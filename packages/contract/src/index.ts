export { ERRORS, type ErrorCode } from './errors.ts';
