import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Top } from './top.ts';

test('the heap keeps the same documents as a sort', () => {
  const totals = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 60 });
  fc.assert(
    fc.property(totals, fc.integer({ min: 0, max: 20 }), fc.infiniteStream(fc.nat()), (offers, limit, shuffle) => {
      const hits = offers.map((total, document) => ({ document, total, place: shuffle.next().value }));
      const top = new Top(limit);
      for (const { document, total } of hits.toSorted((a, b) => a.place - b.place)) top.offer(document, total);
      const best = hits.sort((a, b) => b.total - a.total || a.document - b.document).slice(0, limit);
      expect(top.worst).toBe(best.length === limit ? (best.at(-1)?.total ?? 0) : 0);
      const { documents, totals: kept } = top.drain();
      expect([...documents]).toEqual(best.map(({ document }) => document));
      expect([...kept]).toEqual(best.map(({ total }) => total));
    }),
  );
});
