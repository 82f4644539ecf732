import Type from 'typebox';
import { LIMITS } from './limits.ts';

/** Makes the schema of the parameter `q`, shared by search and suggest. */
export const Words = (description: string) =>
  Type.String({ minLength: LIMITS.queryMinLength, maxLength: LIMITS.queryMaxLength, description });

/** Makes the schema of the parameter `limit`, the number of items in a response. */
export const Limit = (bounds: { minimum: number; maximum: number; default: number }, description: string) =>
  Type.Optional(Type.Integer({ ...bounds, description }));

/** Every operation accepts `safe`. Only the value 1 is allowed. */
export const Safe = Type.Optional(
  Type.Union([Type.Literal('0'), Type.Literal('1')], {
    default: '1',
    description:
      '1 excludes adult GIFs, and is the only accepted value: 0 is refused with 403 `adult_not_allowed`. You can omit it',
  }),
);

export const BuildId = Type.String({
  description: 'Index build. If it changes between pages of one query, start again from offset 0',
});
export const Generation = Type.Integer({ minimum: 0, description: 'Cache generation; only informative' });
