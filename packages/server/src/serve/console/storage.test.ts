import { expect, test } from 'vitest';
import { summaryOfBackups } from './storage.ts';

const row = { machine: '', folder: '/backups', gifs: 1, bytes: 2, milliseconds: 3 };
const made = { ...row, at: 10, made: true, problem: '2 damaged files were not copied' };
const failed = { ...row, at: 20, made: false, problem: 'the disk is full' };

test.each([
  ['no backup', [], { lastAt: null, problem: '' }],
  ['a backup', [made], { lastAt: 10, problem: '' }],
  ['a failure after a backup', [failed, made], { lastAt: 10, problem: 'the disk is full' }],
  ['a backup after a failure', [{ ...made, at: 30 }, failed], { lastAt: 30, problem: '' }],
  ['only a failure', [failed], { lastAt: null, problem: 'the disk is full' }],
])('the overview tells of %s', (_, backups, summary) => {
  expect(summaryOfBackups(backups)).toEqual(summary);
});
