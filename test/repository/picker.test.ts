import { brotliCompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { LOCALES } from '../../packages/picker/src/strings.ts';
import { pickerFiles } from '../support/bundle.ts';

it('the picker has at most 20 kB with the texts of its largest language, and imports nothing else', async () => {
  const files = await pickerFiles();
  // These files are loaded when somebody opens the menu or details, saves or loads favourites, or when a favourite is
  // gone.
  const later = ['gif-picker-favourites.js', 'gif-picker-more.js'];
  const names = LOCALES.map((locale) => (locale === 'en' ? 'gif-picker.js' : `gif-picker-${locale}.js`));
  expect([...files.keys()].sort()).toEqual([...names, ...later].sort());
  const sizes = new Map([...files].map(([name, code]) => [name, brotliCompressSync(code).length]));
  const main = sizes.get('gif-picker.js')!;
  sizes.delete('gif-picker.js');
  for (const name of later) {
    expect(sizes.get(name)).toBeLessThanOrEqual(2_000);
    sizes.delete(name);
  }
  expect(main + Math.max(...sizes.values())).toBeLessThanOrEqual(20_000);
  const imports = [...files.values()].flatMap((code) => code.match(/\bimport\s*[({"'][^)]*\)?/g) ?? []);
  const parts = [...names, ...later].filter((name) => name !== 'gif-picker.js');
  expect([...new Set(imports)].sort()).toEqual(parts.map((name) => `import(\`./${name}\`)`).sort());
});
