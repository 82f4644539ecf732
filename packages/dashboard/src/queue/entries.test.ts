import type { ModeratedGif, ReviewItem } from '@zoetrope/contract/account';
import { expect, it } from 'vitest';
import { isWaiting, merge } from './entries.ts';

function gifOf(id: string, reports: { at: number; more: number }[]): ModeratedGif {
  const report = { id: '', reason: 'other' as const, message: '', contact: '', reporter: 'form' };
  return {
    ...{
      id,
      title: '',
      tags: [],
      alt: '',
      source: '',
      width: 1,
      height: 1,
      hidden: false,
      inReview: false,
      blocked: false,
    },
    ...{ rating: '', ratedBy: '', edited: false, moves: [] },
    reports: reports.map((one) => ({ ...report, ...one })),
  };
}

function requestOf(clientId: string, createdAt: number): ReviewItem {
  const about = { kind: 'origin' as const, value: '', proof: null, clientName: clientId, homePage: '' };
  return { id: `${clientId}${createdAt}`, clientId, createdAt, ...about };
}

const A = gifOf('a', [{ at: 1, more: 0 }]);
const B = gifOf('b', [{ at: 4, more: 3 }]);
const REQUESTS = [requestOf('x', 2), requestOf('y', 3), requestOf('x', 5), requestOf('z', 9)];

it.each([
  ['oldest', [A, B], false, ['a', 'client:x', 'client:y', 'b', 'client:z']],
  ['oldest', [A, B], true, ['a', 'client:x', 'client:y', 'b']],
  ['most', [B, A], false, ['b', 'client:x', 'a', 'client:y', 'client:z']],
  ['oldest', [], false, ['client:x', 'client:y', 'client:z']],
] as const)('GIFs and clients are one queue, %s first', (order, gifs, hasMore, expected) => {
  expect(merge(gifs, REQUESTS, { order, hasMore }).map(({ id }) => id)).toEqual(expected);
});

it.each(['oldest', 'most'] as const)('GIFs without reports stay in the order of the service, %s first', (order) => {
  const gifs = ['c', 'a', 'b'].map((id) => gifOf(id, []));
  expect(merge(gifs, [], { order, hasMore: true }).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
});

it('a GIF waits until its reports are closed or its rating is decided', () => {
  expect(isWaiting(A, 'reported')).toBe(true);
  expect(isWaiting({ ...A, reports: [] }, 'reported')).toBe(false);
  const doubtful = { ...A, rating: 'review', ratedBy: 'model' };
  expect(isWaiting(doubtful, 'doubtful')).toBe(true);
  expect(isWaiting({ ...doubtful, hidden: true }, 'doubtful')).toBe(false);
  expect(isWaiting({ ...A, inReview: true }, 'uploaded')).toBe(true);
  expect(isWaiting({ ...A, hidden: true }, 'uploaded')).toBe(false);
  expect(isWaiting({ ...doubtful, blocked: true }, 'doubtful')).toBe(false);
  expect(isWaiting(doubtful, 'withheld')).toBe(false);
  expect(isWaiting({ ...A, hidden: true }, 'hidden')).toBe(true);
  expect(isWaiting({ ...doubtful, rating: 'adult' }, 'withheld')).toBe(true);
  expect(isWaiting({ ...doubtful, rating: 'adult', ratedBy: 'operator' }, 'withheld')).toBe(false);
});
