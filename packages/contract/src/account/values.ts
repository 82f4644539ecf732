import Type from 'typebox';

/** Milliseconds since the Unix epoch. */
export const Time = Type.Integer({ minimum: 0 });
export const Pubkey = Type.String({ pattern: '^[0-9a-f]{64}$' });
export const Npub = Type.String({ pattern: '^npub1[0-9a-z]{58}$' });
/** Id of an entry in the registry. */
export const Id = Type.String({ pattern: '^[\\w-]{1,64}$' });

/** Makes the schema of one line of free text. */
export const Line = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });

/** A task that runs in the background; null if there is none. */
export const Running = Type.Union([
  Type.Object({
    subject: Type.String({ description: 'The folder or name that the task works on' }),
    startedAt: Time,
    phase: Type.String({ description: 'What it does now; empty if it has just started' }),
    done: Type.Integer({ minimum: 0, description: 'Files, or megabytes of a download' }),
    total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Null if it is not known' }),
  }),
  Type.Null(),
]);
