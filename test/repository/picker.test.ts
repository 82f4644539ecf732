import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { LOCALES } from '../../packages/picker/src/strings.ts';
import { pickerFiles } from '../support/bundle.ts';

it('the picker has at most 20 kB with the texts of its largest language, and imports nothing else', async () => {
  const files = await pickerFiles();
  const favourites = 'gif-picker-favourites.js';
  const names = LOCALES.map((locale) => (locale === 'en' ? 'gif-picker.js' : `gif-picker-${locale}.js`));
  expect([...files.keys()].sort()).toEqual([...names, favourites].sort());
  const sizes = new Map([...files].map(([name, code]) => [name, brotliCompressSync(code).length]));
  const main = sizes.get('gif-picker.js')!;
  sizes.delete('gif-picker.js');
  // It is loaded when somebody saves or loads favourites, or when a favourite is gone.
  expect(sizes.get(favourites)).toBeLessThanOrEqual(2_000);
  sizes.delete(favourites);
  expect(main + Math.max(...sizes.values())).toBeLessThanOrEqual(20_000);
  const imports = [...files.values()].flatMap((code) => code.match(/\bimport\s*[({"'][^)]*\)?/g) ?? []);
  const parts = [...names, favourites].filter((name) => name !== 'gif-picker.js');
  expect([...new Set(imports)].sort()).toEqual(parts.map((name) => `import(\`./${name}\`)`).sort());
});
