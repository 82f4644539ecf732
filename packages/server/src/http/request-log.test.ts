import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRequestNotes } from './request-log.ts';

/** Returns a function that notes a request and returns its line, and all lines. */
function createNote() {
  const lines: string[] = [];
  const { noteSent } = createRequestNotes({ write: (line) => void lines.push(line), withQueries: false });
  const facts = { id: 'a-1', now: 1, milliseconds: 0, route: '/', outcome: null, client: null, bytes: 7, isCut: false };
  const note = (changed: Partial<Parameters<typeof noteSent>[0]>, statusCode = 200): unknown => {
    noteSent(
      { ...facts, ...changed },
      { url: '/' } as IncomingMessage,
      { writableLength: 0, statusCode } as ServerResponse,
    );
    return lines.length === 0 ? undefined : JSON.parse(lines.at(-1)!);
  };
  return { lines, note };
}

const [ann, bob] = [{ id: 'ann' }, { id: 'bob' }];

test('a line describes its own request, whatever the line before it was', () => {
  const request = fc.record({
    now: fc.integer({ min: 1, max: 3 }),
    route: fc.constantFrom('/a', '/b', undefined),
    outcome: fc.constantFrom('kept' as const, 'made' as const, null),
    client: fc.constantFrom(ann, bob, null),
    status: fc.constantFrom(200, 304),
    isCut: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(request, { size: 'max', maxLength: 20 }), (requests) => {
      const { note } = createNote();
      for (const { status, ...facts } of requests) {
        const { now: time, route = null, outcome, client } = facts;
        const described = { time, id: 'a-1', route, outcome, status, client: client?.id ?? null, bytes: 7 };
        const aborted = facts.isCut ? { aborted: true } : {};
        expect(note(facts, status)).toEqual({ level: 30, ...described, ms: 0, ...aborted, msg: 'request' });
      }
    }),
    { numRuns: 30 },
  );
});

test.each([0, 0.004, 0.05, 0.999, 1.002, 12.034, 250.5])('a duration of %d ms is written as it is', (milliseconds) => {
  expect(createNote().note({ milliseconds })).toMatchObject({ ms: milliseconds });
});

test.each([
  ['/healthz', 200, 0],
  ['/readyz', 200, 0],
  ['/readyz', 503, 1],
  ['/healthz', 429, 1],
  ['/', 200, 1],
])('%s with status %i has %i lines', (route, status, lines) => {
  const { note, lines: written } = createNote();
  note({ route }, status);
  expect(written.length).toBe(lines);
});
