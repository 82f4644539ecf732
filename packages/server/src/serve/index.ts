export { startWorking } from './background.ts';
export { serve } from './serve.ts';
