#!/usr/bin/env node
import { runService } from '../../../tools/runtime.mjs';

await runService(process.argv.slice(2));
