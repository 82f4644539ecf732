import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { compareLook } from './look.ts';
import { pickerPages, SOON, said, search } from './picker.ts';
import { writeTiles } from './tiles.ts';

const WIDTHS = [320, 640, 1280];
const SCHEMES = ['light', 'dark'] as const;
/** Number of GIFs for "gm". It is higher than the number that the widest window shows. */
const GMS = 24;

const linked = Array.from({ length: GMS }, (_, n) => ({
  id: `look-${n}.gif`,
  title: `Good morning ${n}`,
  tags: ['gm'],
  width: 200 + ((n * 37) % 200),
  height: 150 + ((n * 53) % 200),
}));

describe.skipIf(!parts.chromium || !parts.dejavu)('how the picker looks', () => {
  const pages = pickerPages({ write: writeTiles, linked });

  async function open(attributes: Record<string, string>): Promise<Page> {
    const page = await pages.host.window();
    await page.route(/\/p\//, async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({ contentType: 'image/png', body: await flat(pathname) });
    });
    await pages.host.show(page, attributes);
    await page.locator('gif-picker .chip img').last().waitFor();
    await page.addStyleTag({ content: 'gif-picker { font-family: "DejaVu Sans" }' });
    return page;
  }

  const look = (page: Page, name: string) => compareLook(page.locator('gif-picker'), name);

  it.each(['en', 'ar'])('in every width, light and dark, in %s', async (lang) => {
    const page = await open({ lang });
    const wrong: string[] = [];
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 480 });
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        wrong.push(await look(page, `${width}-${colorScheme}-${lang}`));
      }
    }
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  it('with reduced motion, and in rows', async () => {
    const page = await open({ layout: 'rows' });
    const wrong = [await look(page, 'rows')];
    await page.emulateMedia({ reducedMotion: 'reduce' });
    wrong.push(await look(page, 'rows-still'));
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  it.each([
    ['en', 'light', 'Settings', 'About this GIF'],
    ['ar', 'dark', 'الإعدادات', 'عن هذه الصورة'],
  ] as const)(
    'with its settings, and with the details of a GIF, in %s',
    async (lang, colorScheme, settings, details) => {
      const page = await open({ lang });
      await page.setViewportSize({ width: lang === 'ar' ? 320 : 640, height: 480 });
      await page.emulateMedia({ colorScheme });
      const wrong: string[] = [];
      await page.getByRole('button', { name: settings, exact: true }).click();
      wrong.push(await look(page, `settings-${lang}`));
      await page.keyboard.press('Escape');
      await page.getByRole('combobox').press('ArrowDown');
      await page.getByRole('button', { name: details }).first().dispatchEvent('click');
      await page.getByRole('dialog').waitFor();
      wrong.push(await look(page, `details-${lang}`));
      expect(wrong.filter(Boolean)).toEqual([]);
    },
  );

  it('with English text in the Arabic picker', async () => {
    const page = await open({ lang: 'ar' });
    await search(page, '(nothing like it)!');
    await expect.poll(() => said(page), SOON).toContain('nothing');
    expect(await look(page, 'typed-ar')).toBe('');
  });

  it('during a search', async () => {
    const page = await open({});
    const box = page.getByRole('combobox');
    const wrong: string[] = [];
    await box.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    wrong.push(await look(page, 'focus'));
    await box.fill('fir');
    await page.getByRole('option', { name: 'fire', exact: true }).waitFor();
    await expect.poll(() => said(page), SOON).toBe('7 GIFs');
    await box.press('ArrowDown');
    wrong.push(await look(page, 'completions'));
    await search(page, 'nothing like it');
    await expect.poll(() => said(page), SOON).toContain('Nothing found');
    wrong.push(await look(page, 'nothing'));
    await page.context().setOffline(true);
    await search(page, 'gm');
    await expect.poll(() => said(page), SOON).toBe('You are offline');
    wrong.push(await look(page, 'offline'));
    expect(wrong.filter(Boolean)).toEqual([]);
  });
});

/** Returns a picture of one colour for each URL. Animated previews have a mark. */
function flat(address: string): Promise<Buffer> {
  const name = address.split('/').at(-1)!.split('.')[0]!;
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const mark = address.endsWith('.png') ? '' : '<rect x="40" y="40" width="20" height="20" fill="#fff"/>';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="hsl(${hue * 7},50%,55%)"/>${mark}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
