import fc from 'fast-check';
import Value from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { OPERATIONS, readQuery } from './index.ts';

const search = OPERATIONS.search.query;
const read = (raw: Record<string, string | string[]>) => readQuery(search, { q: 'cat', ...raw });

describe('readQuery', () => {
  it('uses the default of every missing parameter', () => {
    expect(readQuery(search, { q: 'cat' })).toEqual({
      q: 'cat',
      limit: 24,
      offset: 0,
      mode: 'auto',
      safe: '1',
      lang: '',
      explain: '0',
    });
    expect(readQuery(OPERATIONS.suggest.query, { q: 'c' })).toEqual({ q: 'c', limit: 8, safe: '1' });
    expect(readQuery(OPERATIONS.similar.query, {})).toEqual({ limit: 24, safe: '1' });
  });

  it('has separate bounds for each operation', () => {
    const bounds = { search: 200, suggest: 20, similar: 50 };
    for (const [name, most] of Object.entries(bounds) as [keyof typeof bounds, number][]) {
      const given = (limit: number) => readQuery(OPERATIONS[name].query, { q: 'cat', limit: `${limit}` } as never);
      expect(given(1), name).toMatchObject({ limit: 1 });
      expect(given(most), name).toMatchObject({ limit: most });
      expect(() => given(most + 1), name).toThrow(`${most}`);
    }
  });

  it('uses the default for an empty or null offset', () => {
    expect(read({ offset: '' })).toMatchObject({ offset: 0 });
    expect(read({ offset: 'null' })).toMatchObject({ offset: 0 });
    expect(read({ offset: '0' })).toMatchObject({ offset: 0 });
    expect(read({ offset: '1000000' })).toMatchObject({ offset: 1_000_000 });
  });

  it('limits an offset beyond every list to a safe integer', () => {
    expect(read({ offset: '9'.repeat(40) })).toMatchObject({ offset: Number.MAX_SAFE_INTEGER });
  });

  it('ignores unknown parameters', () => {
    expect(read({ utm_source: 'x', page: ['1', '2'] })).toMatchObject({ q: 'cat' });
  });

  it.each([
    [{ limit: '0' }, 'limit must be a whole number from 1 to 200'],
    [{ limit: '201' }, 'limit must be a whole number from 1 to 200'],
    [{ limit: '3.5' }, 'limit must be a whole number from 1 to 200'],
    [{ limit: '' }, 'limit must be a whole number from 1 to 200'],
    [{ limit: '0x10' }, 'limit must be a whole number from 1 to 200'],
    [{ offset: '-1' }, 'offset must be a whole number of at least 0'],
    [{ mode: 'fast' }, 'mode must be one of auto, text, semantic'],
    [{ safe: '2' }, 'safe must be one of 0, 1'],
    [{ q: '' }, 'q must have 1 to 500 characters'],
    [{ q: 'x'.repeat(501) }, 'q must have 1 to 500 characters'],
    [{ q: ['a', 'b'] }, 'q must be given only once'],
  ])('refuses %j', (raw, message) => {
    expect(() => read(raw)).toThrow(message);
  });

  it('names a missing q', () => {
    expect(() => readQuery(search, {})).toThrow('q is missing');
  });

  it('counts characters as code points', () => {
    expect(read({ q: '🔥'.repeat(500) })).toMatchObject({ q: '🔥'.repeat(500) });
    expect(() => read({ q: '🔥'.repeat(501) })).toThrow('q must have');
  });

  it('returns only what the schema allows, or throws', () => {
    const text = fc.oneof(fc.string(), fc.integer().map(String), fc.constantFrom('0', '1', 'auto', 'text', 'null'));
    const raw = fc.dictionary(fc.constantFrom('q', 'limit', 'offset', 'mode', 'safe'), text);
    fc.assert(
      fc.property(raw, (query) => {
        try {
          expect(Value.Check(search, readQuery(search, query))).toBe(true);
        } catch (error) {
          expect((error as Error).name).toBe('QueryError');
        }
      }),
    );
  });

  it('has a default for every optional parameter', () => {
    for (const { query } of Object.values(OPERATIONS)) {
      const required = new Set<string>(query.required);
      for (const [name, property] of Object.entries(query.properties)) {
        expect('default' in property, name).toBe(!required.has(name));
      }
    }
  });
});
