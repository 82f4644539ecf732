import Type from 'typebox';
import { LIMITS } from './limits.ts';

/** The query words, shared by search and suggest. */
export const Words = (description: string) =>
  Type.String({ minLength: LIMITS.queryMinLength, maxLength: LIMITS.queryMaxLength, description });

/** How many entries an answer holds. */
export const Limit = (bounds: { minimum: number; maximum: number; default: number }, description: string) =>
  Type.Optional(Type.Integer({ ...bounds, description }));

/** Every operation takes `safe`; only the value 1 is ever answered. */
export const Safe = Type.Optional(
  Type.Union([Type.Literal('0'), Type.Literal('1')], {
    default: '1',
    description: '1 leaves adult GIFs out. 0 is refused with 403 `adult_not_allowed`; clients leave it out',
  }),
);

export const BuildId = Type.String({
  description: 'Index build. If it changes between pages of one query, start again from offset 0',
});
export const Generation = Type.Integer({ minimum: 0, description: 'Cache generation; informational' });
