import { describe, expect, it } from 'vitest';
import { pictureBody } from '../draw/artwork.ts';
import { effects } from '../draw/effects.ts';
import { letter } from '../draw/letters.ts';
import { motions } from '../draw/motions.ts';
import { catalogue, entriesOf } from './catalogue.ts';
import { parseTable } from './entry.ts';
import { manifestLine } from './manifest.ts';

const topics = 'gm gn pv zap bitcoin coffee lfg wow lol yes no applause facepalm love fire cat dance'.split(' ');
const words = [
  ...'happy sad hello thanks angry hug kiss cry laugh party birthday cheers tired sleep hungry food dog cat'.split(' '),
  ...'sun rain money work music run bye please sorry ok think surprised scared cold hot heart wink congratulations'.split(
    ' ',
  ),
  ...[
    'good night',
    'good morning',
    'thumbs up',
    'pura vida',
    'thank you',
    'to the moon',
    'happy birthday',
    'good luck',
  ],
];

/** Returns the GIF that a search for a word should find first: the most popular entry tagged with the word. */
function firstFor(word: string) {
  return catalogue.filter((entry) => entry.tags.includes(word)).sort((a, b) => b.popularity - a.popularity)[0];
}

describe('the starter catalogue', () => {
  it('has at least 300 GIFs in at least a dozen motions, with and without captions, of several sizes', () => {
    expect(catalogue.length).toBeGreaterThanOrEqual(300);
    expect(new Set(catalogue.map((entry) => entry.motion)).size).toBeGreaterThanOrEqual(12);
    expect(new Set(catalogue.map(({ look }) => `${look.width}x${look.height}`)).size).toBeGreaterThanOrEqual(4);
    expect(catalogue.filter((entry) => entry.caption.length > 0).length).toBeGreaterThan(100);
    expect(catalogue.filter((entry) => entry.caption.length === 0).length).toBeGreaterThan(60);
    expect(catalogue.filter((entry) => !entry.look.theme).length).toBeGreaterThan(60);
  });

  it('names each GIF once', () => {
    expect(new Set(catalogue.map((entry) => entry.name)).size).toBe(catalogue.length);
    const looks = catalogue.map(({ heroes, motion, effects: added, caption }) =>
      JSON.stringify([heroes, motion, added, caption]),
    );
    expect(looks.filter((look, i) => looks.indexOf(look) !== i)).toEqual([]);
  });

  it('names only pictures, effects and letters that exist', () => {
    for (const entry of catalogue) {
      for (const hero of entry.heroes) expect(pictureBody(hero), hero).toBeDefined();
      for (const { name, argument } of entry.effects) {
        expect(effects[name], name).toBeDefined();
        if (argument && !argument.startsWith('#')) expect(pictureBody(argument), argument).toBeDefined();
      }
      for (const character of entry.caption.join('')) expect(letter(character), character).toBeDefined();
    }
  });

  it('draws no picture with the fonts of the machine', () => {
    const pictures = new Set(catalogue.flatMap((entry) => entry.heroes));
    for (const picture of pictures) expect(pictureBody(picture), picture).not.toMatch(/<text|<image/);
  });

  it('tags every GIF with four to ten words people type', () => {
    for (const entry of catalogue) {
      expect(entry.tags.length, entry.title).toBeGreaterThanOrEqual(4);
      expect(entry.tags.length, entry.title).toBeLessThanOrEqual(10);
      expect(new Set(entry.tags).size, entry.title).toBe(entry.tags.length);
      for (const tag of entry.tags) expect(tag, entry.title).toMatch(/^[^A-Z]{1,40}$/);
      expect(entry.popularity, entry.title).toBeGreaterThan(0);
    }
  });

  it.each([...topics, ...words])('has a hero for "%s"', (word) => {
    const first = firstFor(word);
    expect(first, word).toBeDefined();
    expect(first!.popularity, `${word}: ${first!.title}`).toBeGreaterThanOrEqual(850);
  });

  it('has an alternative text that describes the picture', () => {
    const [entry] = parseTable('Hi, sun | sun | spin | HI! | 160 sky rays | hi, sun, hello, warm | 5');
    expect(manifestLine(entry!)).toEqual({
      file: 'hi-sun.gif',
      title: 'Hi, sun',
      tags: ['hi', 'sun', 'hello', 'warm'],
      text: 'HI!',
      lang: 'en',
      popularity: 5,
      source: 'starter',
      alt: 'Sun spinning, with the words “HI!”',
    });
  });

  it('keeps accents and apostrophes out of file names', () => {
    const [entry] = parseTable('Crème brûlée: it’s hot! | sun | spin | | 160 sky rays | hot | 5');
    expect(entry!.name).toBe('creme-brulee-its-hot');
  });

  it.each([
    ['a | sun | spin | | 160 clear | x', '6 columns'],
    ['a | sun | hover | | 160 clear | x | 1', '"hover"'],
    ['a | sun | spin | | 999 clear | x | 1', '"999"'],
    ['a | sun | spin | | 160 mauve | x | 1', '"mauve"'],
    ['a | sun | spin | | 160 sky tartan | x | 1', '"tartan"'],
  ])('describes the error in the line %s', (line, reason) => {
    expect(() => parseTable(line)).toThrow(reason);
  });
});

describe('motions', () => {
  it.each(Object.entries(motions))('%s has no jerk where the loop closes', (_, motion) => {
    expect(motion.delay % 10).toBe(0);
    expect(motion.delay).toBeGreaterThanOrEqual(20);
    expect(motion.frames).toBeGreaterThanOrEqual(10);
    expect(motion.frames).toBeLessThanOrEqual(24);
    const start = motion.pose(0);
    const end = motion.pose(1 - 1e-9);
    for (const key of ['x', 'y', 'scaleX', 'scaleY', 'across'] as const) {
      expect(end[key] ?? 0, key).toBeCloseTo(start[key] ?? 0, 4);
    }
    const turned = (end.rotate ?? 0) - (start.rotate ?? 0);
    expect(turned, 'rotate').toBeCloseTo(Math.round(turned), 4);
  });
});

it('has two parts that contain each GIF once, the most popular ones in the first', () => {
  const [first, rest] = [entriesOf('first'), entriesOf('rest')];
  const names = [...first, ...rest].map(({ name }) => name);
  expect(names.toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
  expect(first).toHaveLength(36);
  const least = Math.min(...first.map(({ popularity }) => popularity));
  expect(Math.max(...rest.map(({ popularity }) => popularity))).toBeLessThanOrEqual(least);
});
