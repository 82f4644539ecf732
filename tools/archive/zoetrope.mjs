#!/usr/bin/env node
// The `zoetrope` command of the archive. Runs with the machine's own Node (20 or newer).
import path from 'node:path';
import { endable, ensureDependencies, findNode, root, runBundle } from '../launch.mjs';

const node = await findNode();
await endable(() => ensureDependencies(node, path.join(root, 'packages'), { dev: false }));
runBundle(node, process.argv.slice(2));
