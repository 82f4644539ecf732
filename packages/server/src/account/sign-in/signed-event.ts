import { ServiceError } from '../../base/errors.ts';
import { refuseLogin } from './refuse-login.ts';
import { hashSecret } from './secrets.ts';

/** Event kind of NIP-98. */
const KIND = 27_235;
const FRESH_S = 60;
const HEADER = /^Nostr ([A-Za-z\d+/=]{1,8192})$/;
const FIELDS = ['content', 'created_at', 'id', 'kind', 'pubkey', 'sig', 'tags'];

/** The values that a signed event must contain. */
export interface Expected {
  /** The URL of the request, byte for byte. */
  u: string;
  /** The body of the request. */
  body: Uint8Array;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/**
 * Returns the public key that signed the event in an Authorization header (NIP-98), and the event's id.
 * @throws ServiceError `login_refused` that names the failed check, or `validation` if the event is not JSON
 */
export async function readSignedEvent(
  authorization: string | undefined,
  { u, body, now }: Expected,
): Promise<{ pubkey: string; id: string }> {
  const event = decode(authorization);
  const { kind, content, created_at: createdAt } = event;
  if (kind !== KIND) throw refuseLogin('bad_kind', `the event must be of kind ${KIND}`);
  if (content !== '') throw refuseLogin('bad_content', 'the content of the event must be empty');
  if (!Number.isInteger(createdAt) || Math.abs(Math.floor(now / 1_000) - Number(createdAt)) > FRESH_S) {
    throw refuseLogin('stale', `created_at must be within ${FRESH_S} s of now; check the clock of the signer`);
  }
  if (onlyTag(event, 'u') !== u)
    throw refuseLogin('bad_u', `the event must have exactly one u tag with the value ${u}`);
  if (onlyTag(event, 'method') !== 'POST')
    throw refuseLogin('bad_method', 'the event must have exactly one method tag with the value POST');
  if (onlyTag(event, 'payload') !== hashSecret(body)) {
    throw refuseLogin(
      'bad_payload',
      'the event must have exactly one payload tag with the hexadecimal SHA-256 of the body',
    );
  }
  if (!(await isSigned(event))) throw refuseLogin('bad_sig', 'the id or signature of the event is wrong');
  return { pubkey: String(event['pubkey']), id: String(event['id']) };
}

export type Event = Readonly<Record<string, unknown>>;

function decode(authorization = ''): Event {
  const encoded = HEADER.exec(authorization)?.[1];
  if (encoded === undefined) {
    throw refuseLogin('no_auth', 'Authorization must be `Nostr` followed by an event in base64, at most 8 KiB');
  }
  let event: unknown;
  try {
    event = JSON.parse(Buffer.from(encoded, 'base64').toString());
  } catch {
    event = null;
  }
  if (typeof event === 'object' && event !== null) return event as Event;
  throw new ServiceError('validation', 'Authorization must contain an event as JSON in base64');
}

/** Returns the value of a tag that occurs exactly once. */
function onlyTag({ tags }: Event, name: string): unknown {
  const found = (Array.isArray(tags) ? tags : []).filter((tag) => Array.isArray(tag) && tag[0] === name);
  return found.length === 1 ? found[0][1] : undefined;
}

/** Returns whether the event has exactly the seven fields of a Nostr event, and a valid signature. */
export async function isSigned(event: Event): Promise<boolean> {
  if (Object.keys(event).toSorted().join() !== FIELDS.join()) return false;
  // The library is loaded on demand, because it takes 8 MB and threads that only serve searches do not need it.
  const { verifyEvent } = await import('nostr-tools/pure');
  return verifyEvent(event as unknown as Parameters<typeof verifyEvent>[0]);
}
