import Type, { type Static } from 'typebox';
import { Id, Npub, Pubkey, Time } from './values.ts';

/**
 * The values that a signer signs in a NIP-98 event. The event has exactly these values of `u` and `method`, and the
 * hash of the login as `payload`.
 */
export const Challenge = Type.Object({
  challenge: Type.String({ pattern: '^[\\w.-]{100,300}$', description: 'To be returned in the body of the login' }),
  u: Type.String({ description: 'The URL that the event must contain, byte for byte' }),
  method: Type.Literal('POST'),
  expiresAt: Time,
});
export type Challenge = Static<typeof Challenge>;

export const Login = Type.Object({ challenge: Challenge.properties.challenge }, { additionalProperties: false });
export type Login = Static<typeof Login>;

/** The code that the service printed when it started. */
export const ClaimOperator = Type.Object(
  { code: Type.String({ maxLength: 20, description: 'Six digits; spaces are ignored' }) },
  { additionalProperties: false },
);
export type ClaimOperator = Static<typeof ClaimOperator>;

/** A browser that is signed in. */
export const SessionInfo = Type.Object({
  id: Type.String(),
  createdAt: Time,
  lastSeenAt: Time,
  userAgent: Type.String({ description: 'User-Agent of the browser, shortened' }),
  current: Type.Boolean({ description: 'Whether it is the session of this request' }),
});
export type SessionInfo = Static<typeof SessionInfo>;

/** The signed-in user. */
export const Account = Type.Object({
  pubkey: Pubkey,
  npub: Npub,
  isOperator: Type.Boolean({ description: 'Whether the user is an operator' }),
  isMember: Type.Boolean({ description: 'Whether the user can upload GIFs' }),
  csrf: Type.String({ description: 'To be sent as X-CSRF-Token with all requests except GET' }),
  sessions: Type.Array(SessionInfo),
  messages: Type.Boolean({ description: 'Whether the user wants notices as direct messages' }),
  unread: Type.Integer({ minimum: 0, description: 'Number of notices that the user has not seen' }),
});
export type Account = Static<typeof Account>;

export const AccountChange = Type.Object(
  { messages: Type.Boolean({ description: 'Whether to send notices as direct messages from now on' }) },
  { additionalProperties: false },
);

/** What the user must know about a client. */
export const Notice = Type.Object({
  id: Id,
  clientId: Type.String({ description: 'Empty if the user does not own the client' }),
  text: Type.String(),
  at: Time,
  isRead: Type.Boolean(),
});
export type Notice = Static<typeof Notice>;
/** The latest 100 notices, latest first. */
export const NoticeList = Type.Object({ notices: Type.Array(Notice) });
export type NoticeList = Static<typeof NoticeList>;
export const ReadNotices = Type.Object(
  { until: Type.Integer({ minimum: 0, description: 'Time of the latest notice that the user has seen' }) },
  { additionalProperties: false },
);
