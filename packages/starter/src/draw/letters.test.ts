import sharp from 'sharp';
import { expect, it } from 'vitest';
import { letter } from './letters.ts';

const CHARACTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!¡?.,:'-+=/"];
/** Pixels per unit of the alphabet. */
const SCALE = 10;
/** Thickness of the pen, in units. */
const PEN = 1;

/** Draws a letter with a round pen. @returns the columns, in units, in which its ink begins and ends */
async function inkOf(path: string): Promise<{ left: number; right: number }> {
  const pen = `fill="none" stroke="#fff" stroke-width="${PEN}" stroke-linecap="round" stroke-linejoin="round"`;
  const size = `width="${20 * SCALE}" height="${20 * SCALE}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 20 20" ${size}><path d="${path}" ${pen}/></svg>`;
  const { info } = await sharp(Buffer.from(svg)).trim({ background: '#0000' }).toBuffer({ resolveWithObject: true });
  const left = -info.trimOffsetLeft! / SCALE - 4;
  return { left: left + PEN / 2, right: left + info.width / SCALE - PEN / 2 };
}

it.each(CHARACTERS)('the letter %s is as wide as its drawing, so that captions have even gaps', async (character) => {
  const { width, path } = letter(character)!;
  const { left, right } = await inkOf(path);
  expect(Math.abs(left)).toBeLessThan(0.5);
  expect(Math.abs(right - width)).toBeLessThan(0.5);
});

it('small letters are drawn as capitals', () => {
  expect(letter('g')).toEqual(letter('G'));
  expect(letter('é')).toEqual(letter('É'));
  expect(letter('猫')).toBeUndefined();
});
