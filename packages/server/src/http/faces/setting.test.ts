import { expect, test } from 'vitest';
import { readFaces, wrongFaces, wrongRelay } from './setting.ts';

test('faces are read from names separated by commas', () => {
  expect([...readFaces('')]).toEqual([]);
  expect([...readFaces(' tenor , gifbox:public,')]).toEqual([
    ['tenor', 'admitted'],
    ['gifbox', 'public'],
  ]);
});

test('each wrong name is reported', () => {
  expect(wrongFaces('tenor, gifbox:public')).toEqual([]);
  const problems = wrongFaces('Tenor, gifbox:open, giphy:public:public, klipy');
  expect(problems).toHaveLength(3);
  expect(problems[0]).toContain('not "Tenor"');
});

test('the faces for assistants and for relay clients cannot be set to public', () => {
  expect([...readFaces('mcp')]).toEqual([['mcp', 'admitted']]);
  expect([...readFaces('relay:public')]).toEqual([]);
  expect([...readFaces('mcp:public')]).toEqual([]);
  expect(wrongFaces('mcp:public')[0]).toContain('mcp and relay only without');
});

test('only the relay needs a key', () => {
  expect(wrongRelay({ faces: 'tenor, relay', nostrKey: '' })[0]).toContain('ZOETROPE_NOSTR_KEY');
  expect(wrongRelay({ faces: 'tenor, relay', nostrKey: '1'.repeat(64) })).toEqual([]);
  expect(wrongRelay({ faces: 'tenor', nostrKey: '' })).toEqual([]);
});
