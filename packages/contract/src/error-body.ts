import Type, { type Static } from 'typebox';

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'One of the codes of this service; new ones may be added' }),
      message: Type.String({ description: 'For a person: names the field and its bound' }),
    }),
  },
  { $id: 'Error', description: 'Every error answer has this body' },
);
export type ErrorBody = Static<typeof ErrorBody>;
