import { Admission, type Client } from '../packages/server/src/registry/index.ts';

/* Loaded into a service by NODE_OPTIONS, this lets everybody in without looking: what there would be without admission. */

const ANYBODY: Client = { id: 'anybody', name: 'Anybody', isDevelopment: false };
Admission.prototype.identify = () => ANYBODY;
