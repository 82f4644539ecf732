export { type Client, identify } from './admission.ts';
