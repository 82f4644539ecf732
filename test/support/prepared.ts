import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that all test files in a run share, for data that takes long to make and never changes. */
    prepared: string;
  }
}

/** Creates the prepared folder before the first test file, and removes it after the last. */
export default function setUp(project: TestProject): () => void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-prepared-'));
  project.provide('prepared', folder);
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
