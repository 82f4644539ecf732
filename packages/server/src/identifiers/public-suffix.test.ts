import { expect, test } from 'vitest';
import { canonicalOrigin } from './origin.ts';
import { requireOwnSubdomains } from './public-suffix.ts';

const check = (text: string) => requireOwnSubdomains(canonicalOrigin(text));

test.each([
  'https://*.co.uk',
  'https://*.github.io',
  'https://*.vercel.app:8443',
  'https://*.kawasaki.jp',
  'https://*.a.kawasaki.jp',
  'https://*.公司.cn',
  'https://*.XN--55QX5D.CN',
])('%s is refused, with the reason', async (origin) => {
  await expect(check(origin)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringMatching(/public suffix/),
  });
});

test.each([
  'https://*.app.co.uk',
  'https://*.app.github.io',
  'https://*.app.example',
  'https://*.city.kawasaki.jp',
  'https://*.bücher.example',
  'https://*.名.公司.cn',
  'https://github.io',
  'https://app.github.io',
])('%s is accepted', async (origin) => {
  await expect(check(origin)).resolves.toBeUndefined();
});
