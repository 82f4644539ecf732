import fs from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { favourSpaces } from '../captions/spaces.ts';
import { suspicionOf } from '../looks/suspicion.ts';
import { checkRatingModels } from './rating.ts';
import { verdictOf } from './verdict.ts';

test('a network that is damaged, or from another version, is not used', async () => {
  const read = vi.spyOn(fs, 'readFile').mockResolvedValue('damaged');
  await expect(checkRatingModels()).rejects.toThrow(/looks\.onnx is damaged\. .*`npm start`/);
  read.mockRestore();
});

test.each([
  [0.2, 1, 'safe'], // the second network is not used
  [0.4, 0.2, 'safe'],
  [0.4, 0.3, 'review'],
  [0.4, 0.9, 'review'],
  [0.9, 0, 'review'],
  [0.9, 0.5, 'review'],
  [0.6, 0.6, 'adult'],
] as const)('suspicions of %f and %f are %s', async (first, second, verdict) => {
  expect(await verdictOf(first, async () => ({ worst: second, lasting: second, isDrawn: false }))).toBe(verdict);
});

test.each([
  ['a single suspected frame', { worst: 0.9, lasting: 0.4, isDrawn: false }, 'review'],
  ['a drawing', { worst: 0.8, lasting: 0.8, isDrawn: true }, 'review'],
  ['an unambiguous drawing', { worst: 0.95, lasting: 0.9, isDrawn: true }, 'adult'],
] as const)('%s has a special threshold', async (_, second, verdict) => {
  expect(await verdictOf(0.9, async () => second)).toBe(verdict);
});

test('rejects if the second network fails', async () => {
  await expect(verdictOf(0.9, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});

test('hentai and porn are added up, and the likelier one decides whether the picture is drawn', () => {
  const calm = [0.75, 0.125, 0, 0.125, 0];
  const shot = [0, 0.25, 0.25, 0.5, 0];
  const drawn = [0, 0.5, 0.5, 0, 0];
  const of = (...pictures: number[][]) => suspicionOf(Float32Array.from(pictures.flat()));
  expect(of(calm, shot)).toEqual({ worst: 0.75, lasting: 0.25, isDrawn: false });
  expect(of(calm, drawn, shot)).toEqual({ worst: 0.75, lasting: 0.5, isDrawn: true });
  expect(of(shot)).toEqual({ worst: 0.75, lasting: 0.75, isDrawn: false });
});

test('adds a space where one was almost recognised, but never replaces a letter', () => {
  const places = Float32Array.of(0.9, 0.02, 0.08, 0.97, 0.02, 0.01, 0.2, 0.7, 0.1);
  favourSpaces(places, 3);
  expect([...places].map((value) => Math.round(value * 100))).toEqual([8, 2, 90, 97, 2, 1, 20, 70, 10]);
});
