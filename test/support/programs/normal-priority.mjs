// Loaded first by the Node processes of tests, also in their threads: they stay at normal priority.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

os.setPriority = () => {};
syncBuiltinESMExports();
