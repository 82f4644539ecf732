import Type, { type Static } from 'typebox';

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'Error code; new codes may be added' }),
      message: Type.String({ description: 'Message for people; names the field and its bounds' }),
    }),
  },
  { $id: 'Error', description: 'Body of every error response' },
);
export type ErrorBody = Static<typeof ErrorBody>;
