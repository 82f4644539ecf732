import Type, { type Static } from 'typebox';
import { Time } from './values.ts';

/** Curves of the whole service, for operators. They contain only counts. */

const Count = Type.Integer({ minimum: 0 });
const Milliseconds = Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
  description: 'Estimated from a histogram, in milliseconds; null without searches. 1000 means a second or more',
});

export const Span = Type.Union([Type.Literal('day'), Type.Literal('month')]);
export type Span = Static<typeof Span>;

/** The searches of one interval, and the state of the service in it. */
export const HistoryPoint = Type.Object({
  at: Type.Integer({ minimum: 0, description: 'Start of the interval' }),
  searches: Type.Integer({ minimum: 0, description: 'All searches, also those with an error' }),
  cached: Type.Integer({ minimum: 0, description: 'Searches whose response came from the cache' }),
  degraded: Type.Integer({ minimum: 0, description: 'Searches by words, because the search by meaning was too slow' }),
  refused: Type.Integer({ minimum: 0, description: 'Searches that got a 4xx' }),
  failed: Type.Integer({ minimum: 0, description: 'Searches that got a 5xx' }),
  p50: Milliseconds,
  p99: Milliseconds,
  gifs: Type.Integer({ minimum: 0, description: 'GIFs that searches find' }),
  openJobs: Count,
});
export type HistoryPoint = Static<typeof HistoryPoint>;

export const History = Type.Object({
  seconds: Type.Integer({ minimum: 1, description: 'Length of an interval: 300 for a day, 3600 for a month' }),
  from: Time,
  to: Type.Integer({ minimum: 0, description: 'Start of the last interval, which has not ended' }),
  points: Type.Array(HistoryPoint, {
    description: 'The oldest first, without intervals in which the service did not run',
  }),
});
export type History = Static<typeof History>;
