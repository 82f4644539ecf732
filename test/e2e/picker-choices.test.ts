import fs from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { violations } from './axe.ts';
import {
  changeGifs,
  focused,
  givePictures,
  heard,
  listen,
  MANY,
  MORNING,
  pickerPages,
  SOON,
  said,
  search,
  tiles,
  titles,
} from './picker.ts';
import { FIRES, MORNINGS } from './tiles.ts';

describe.skipIf(!parts.chromium)('what a user can choose in the picker', () => {
  const pages = pickerPages();

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const settings = (page: Page) => button(page, 'Settings');
  const moving = (page: Page) => page.locator('gif-picker .tile img[src$=".gif"]').count();

  async function findFires(page: Page): Promise<string[]> {
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    return titles(page);
  }

  /** Opens the details of the first GIF with this title. */
  async function openDetails(page: Page, title: string): Promise<void> {
    await button(page, `About this GIF: ${title}`).click();
    await page.getByRole('dialog', { name: title }).waitFor();
  }

  it('when GIFs move, on this device', async () => {
    const page = await pages.host.open({}, { reducedMotion: 'reduce' });
    expect(await moving(page)).toBe(0);
    await settings(page).click();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Motion').selectOption('Always');
    await expect.poll(() => moving(page), SOON).toBeGreaterThan(2);
    await page.reload();
    await expect.poll(() => moving(page), SOON).toBeGreaterThan(2);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await settings(page).click();
    await page.getByLabel('Motion').selectOption('Never');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Motion').count()).toBe(0);
    expect(await focused(page)).toBe('Settings');
    await tiles(page).nth(2).hover();
    await expect.poll(() => moving(page), SOON).toBe(0);
  });

  it('nothing: the menu closes when they touch something else', async () => {
    const page = await pages.host.open();
    await settings(page).click();
    await page.getByLabel('Motion').waitFor();
    await page.getByLabel('Motion').click();
    expect(await page.getByLabel('Motion').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Search GIFs' }).click();
    await expect.poll(() => page.getByLabel('Motion').count(), SOON).toBe(0);
    await settings(page).click();
    await page.getByLabel('Motion').waitFor();
    await settings(page).click();
    await expect.poll(() => page.getByLabel('Motion').count(), SOON).toBe(0);
  });

  it('when GIFs move, even if the page has set it', async () => {
    const page = await pages.host.open({ motion: 'never' });
    await tiles(page).locator('img').nth(2).waitFor();
    await tiles(page).nth(2).hover();
    expect(await moving(page)).toBe(0);
    const [title] = await titles(page);
    await button(page, `About this GIF: ${title}`).dispatchEvent('click');
    await page.locator('gif-picker .details img').waitFor();
    expect(await page.locator('gif-picker .details img[src$=".gif"]').count()).toBe(0);
    await page.keyboard.press('Escape');
    await settings(page).click();
    await page.getByLabel('Motion').selectOption('As on this device');
    await expect.poll(() => moving(page), SOON).toBeGreaterThan(2);
  });

  it('only transparent GIFs, from all pages of the results', async () => {
    const page = await pages.host.window();
    const transparent = new Set<string>();
    await changeGifs(page, ({ id }, n) => {
      if (n % 12 === 0) transparent.add(id);
      return { transparent: n % 12 === 0 || null };
    });
    await pages.host.show(page);
    await settings(page).click();
    await page.getByLabel('Only transparent GIFs').check();
    await search(page, 'many');
    await expect.poll(() => said(page), SOON).toBe(`${Math.ceil(MANY / 12)} GIFs`);
    await button(page, 'Only transparent GIFs').click();
    await expect.poll(() => said(page), SOON).toBe(`${MANY} GIFs`);
  });

  it('a description of their own, which stays with the favourite and goes into notes', async () => {
    const page = await pages.host.open();
    await listen(page);
    const [title] = await findFires(page);
    await openDetails(page, title!);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Your own description').fill(' A log burns ');
    await page.keyboard.press('Tab');
    await button(page, 'Remove from favourites').waitFor();
    await button(page, 'Use this GIF').click();
    expect(await heard(page)).toMatchObject([
      { detail: { alt: 'A log burns', gif: { title }, imeta: expect.arrayContaining(['alt A log burns']) } },
    ]);
    expect(await focused(page)).toBe('A log burns');
    await page.reload();
    await button(page, 'Favourites').click();
    await button(page, 'About this GIF: A log burns').click();
    await page.getByRole('dialog', { name: title! }).waitFor();
    expect(await page.getByLabel('Your own description').inputValue()).toBe('A log burns');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('to export the favourites to a file and import them elsewhere', async () => {
    const page = await pages.host.open();
    const [first, second] = await findFires(page);
    for (const title of [first, second]) await button(page, `Add to favourites: ${title}`).click();
    await openDetails(page, first!);
    await page.getByLabel('Your own description').fill('Mine');
    await page.keyboard.press('Escape');
    await settings(page).click();
    const saving = page.waitForEvent('download');
    await button(page, 'Export favourites').click();
    const file = await saving;
    expect(file.suggestedFilename()).toBe('gif-favourites.json');
    const text = fs.readFileSync(await file.path(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      version: 1,
      favourites: [{ title: second }, { title: first, alt: 'Mine' }],
    });
    const other = await pages.host.open();
    await settings(other).click();
    expect(await button(other, 'Export favourites').count()).toBe(0);
    const load = (content: string) =>
      other.getByLabel('Import favourites').setInputFiles({
        ...{ name: 'favourites.json', mimeType: 'application/json' },
        buffer: Buffer.from(content),
      });
    for (const bad of ['{', '[]', '{"favourites":[{"id":"x"}]}', '{"version":2,"favourites":[]}', '\u0000']) {
      await load(bad);
      await other.getByRole('alert').filter({ hasText: 'This file has no favourites' }).waitFor();
    }
    await load(text);
    await expect.poll(() => said(other), SOON).toBe('2 GIFs');
    expect(await titles(other)).toEqual([second, 'Mine']);
    await button(other, 'About this GIF: Mine').click();
    await other.getByRole('dialog', { name: first! }).waitFor();
    expect(await other.getByLabel('Your own description').inputValue()).toBe('Mine');
  });

  it('to go back several steps, to the earlier results and positions', async () => {
    const page = await pages.host.window();
    await givePictures(page);
    await pages.host.show(page);
    const opening = (await titles(page)).slice(0, 5);
    const scroller = page.locator('gif-picker .scroll');
    const top = () => scroller.evaluate(({ scrollTop }) => scrollTop);
    await search(page, 'gm');
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    await scroller.evaluate((it) => it.scrollTo(0, 400));
    await expect.poll(top).toBe(400);
    const [title] = await titles(page);
    await button(page, `More like this: ${title}`).dispatchEvent('click');
    await expect.poll(() => said(page), SOON).toContain('Similar to');
    const similar = await titles(page);
    await button(page, `More like this: ${similar[0]}`).click();
    await expect.poll(() => said(page), SOON).toContain(`Similar to “${similar[0]}”`);
    await page.getByRole('combobox').fill('fir');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    await page.getByRole('combobox').fill('fire');
    const back = button(page, 'Back');
    await back.click();
    await expect.poll(() => said(page), SOON).toContain(`Similar to “${similar[0]}”`);
    await back.click();
    await expect.poll(() => titles(page), SOON).toEqual(similar);
    await back.click();
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    await back.click();
    await expect.poll(async () => (await titles(page)).slice(0, 5), SOON).toEqual(opening);
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('');
    expect(await back.count()).toBe(0);
    // Without another search in between, the place in the list is the same.
    await search(page, 'gm');
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    await scroller.evaluate((it) => it.scrollTo(0, 400));
    await expect.poll(top).toBe(400);
    await button(page, `More like this: ${title}`).dispatchEvent('click');
    await expect.poll(() => said(page), SOON).toContain('Similar to');
    await expect.poll(top).toBe(0);
    await back.click();
    await expect.poll(top).toBe(400);
  });

  it('to save a GIF, if the app can do it', async () => {
    const save = { name: 'Save', exact: true };
    const page = await pages.host.open({ saves: '' });
    await listen(page);
    const [title] = await findFires(page);
    await openDetails(page, title!);
    await page.getByLabel('Your own description').fill('a fire of mine');
    await page.getByRole('button', save).click();
    const detail = { gif: { title }, alt: 'a fire of mine', imeta: expect.arrayContaining(['alt a fire of mine']) };
    expect(await heard(page)).toMatchObject([{ type: 'gif-save', detail }]);
    await page.getByRole('dialog', { name: title! }).waitFor();
    const other = await pages.host.open();
    await openDetails(other, (await findFires(other))[0]!);
    expect(await other.getByRole('button', save).count()).toBe(0);
  });

  it('to look at a GIF before using it, by a long touch', async () => {
    const page = await pages.host.open({}, { hasTouch: true });
    await listen(page);
    const [title] = await findFires(page);
    const { x, y } = (await tiles(page).first().boundingBox())!;
    const devtools = await page.context().newCDPSession(page);
    const touchPoints = [{ x: x + 30, y: y + 30 }];
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await page.getByRole('dialog', { name: title! }).waitFor();
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await heard(page)).toEqual([]);
    await page.locator('gif-picker .details img[src$=".gif"]').waitFor();
    await button(page, 'Use this GIF').tap();
    expect(await heard(page)).toMatchObject([{ type: 'gif-pick', detail: { gif: { title } } }]);
    // The search field does not get the focus, because it would open the keyboard of a phone.
    await button(page, `More like this: ${title}`).dispatchEvent('click');
    await expect.poll(() => focused(page), SOON).toBe('Back');
    await button(page, 'Back').tap();
    await tiles(page).nth(1).waitFor();
    // A short touch picks, as before.
    await tiles(page).nth(1).locator('.pick').tap();
    expect(await heard(page)).toHaveLength(2);
  });
});

describe.skipIf(!parts.chromium)('a page with the picker', () => {
  const pages = pickerPages();

  it.each(['banana', '', 'ftp://gifs.example'])('is told that "%s" is not the URL of a service', async (service) => {
    const page = await pages.host.open();
    const told: string[] = [];
    page.on('console', (message) => told.push(message.text()));
    await page.evaluate((wrong) => document.querySelector('gif-picker')!.setAttribute('service', wrong), service);
    const text = `gif-picker: service is "${service}" but must be a URL such as https://gifs.example`;
    await page.getByRole('alert').filter({ hasText: text }).waitFor();
    expect(told).toEqual([text]);
    await page.evaluate((url) => {
      (document.querySelector('gif-picker') as unknown as { service: string }).service = url;
    }, pages.service.url);
    await tiles(page).first().waitFor();
  });

  it('can give the picker a client of its own', async () => {
    const page = await pages.host.open();
    const asked = await page.evaluate(async (url) => {
      const paths: string[] = [];
      const answer = async (path: string) => {
        paths.push(path);
        return (await fetch(`${url}/api/v1/search?q=${path}`)).json();
      };
      const client = {
        url: 'https://proxy.example',
        search: answer,
        async *pages(query: string) {
          yield { ...(await answer(query)), isRestart: false, isLast: true };
        },
        suggest: async () => ({ terms: [] }),
        similar: answer,
        attribution: async () => ({ text: 'GIFs from a proxy', name: 'a proxy', homePage: 'https://proxy.example' }),
      };
      const picker = Object.assign(document.createElement('gif-picker'), {
        client,
        topics: [{ label: 'f', query: 'fire' }],
      });
      document.querySelector('gif-picker')!.replaceWith(picker);
      while (picker.shadowRoot?.querySelector('.tile') == null) await new Promise(requestAnimationFrame);
      return paths;
    }, pages.service.url);
    expect(asked).toEqual(['fire']);
    await page.getByRole('link', { name: 'GIFs from a proxy' }).waitFor();
  });

  it('gets English if the texts of its language cannot be loaded', async () => {
    const page = await pages.host.window();
    await page.route('**/gif-picker-de.js', (route) => route.abort());
    await pages.host.show(page, { lang: 'de' });
    await page.getByRole('combobox', { name: 'Search GIFs' }).waitFor();
    await page.unroute('**/gif-picker-de.js');
    await pages.host.show(page, { lang: 'de' });
    await page.getByRole('combobox', { name: 'GIFs suchen' }).waitFor();
  });

  it('can set properties before the script of the picker has loaded', async () => {
    const page = await pages.host.window();
    const loading = Promise.withResolvers<void>();
    await page.route('**/gif-picker.js', async (route) => {
      await loading.promise;
      await route.continue();
    });
    await page.goto(`${pages.host.origin}/?theme=dark`, { waitUntil: 'commit' });
    await page.locator('gif-picker').waitFor({ state: 'attached' });
    await page.evaluate(() => {
      Object.assign(document.querySelector('gif-picker')!, { topics: [{ label: 'Hot', query: 'fire' }] });
    });
    loading.resolve();
    await button(page, 'Hot').click();
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    await page.evaluate(() => Object.assign(document.querySelector('gif-picker')!, { theme: undefined }));
    await expect.poll(() => page.locator('gif-picker[theme]').count()).toBe(0);
  });

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('shows the shapes of GIFs while it waits', async () => {
    const page = await pages.host.window();
    const loading = Promise.withResolvers<void>();
    await page.route('**/v1/trending*', async (route) => {
      await loading.promise;
      await route.continue();
    });
    await page.clock.setFixedTime(MORNING);
    await pages.host.go(page);
    await page.locator('gif-picker .shapes').waitFor();
    loading.resolve();
    await tiles(page).first().waitFor();
    await expect.poll(() => page.locator('gif-picker .shapes').count()).toBe(0);
  });

  it('offers only completions that begin with the typed text', async () => {
    const page = await pages.host.open();
    const { terms } = (await (await pages.service.get('/api/v1/suggest?q=firre')).json()) as { terms: object[] };
    expect(terms).toMatchObject([{ term: 'fire', fuzzy: true }]);
    const answered = page.waitForResponse(/suggest/);
    await page.getByRole('combobox').fill('firre');
    await answered;
    await expect.poll(() => said(page), SOON).toContain('Results for “fire”');
    expect(await page.getByRole('option').count()).toBe(0);
  });
});
