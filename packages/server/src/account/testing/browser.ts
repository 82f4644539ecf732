import { createHash } from 'node:crypto';
import { ACCOUNT_BASE } from '@zoetrope/contract/account';
import { type EventTemplate, finalizeEvent, generateSecretKey, getPublicKey, type NostrEvent } from 'nostr-tools/pure';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  body: any;
  headers: Headers;
}

/** Changes that a test makes to a login. */
export interface LoginChanges {
  template?: Partial<EventTemplate>;
  /** Changes the event after signing. */
  event?: (event: NostrEvent) => unknown;
  headers?: Record<string, string>;
  now?: number;
}

/**
 * A browser with an open dashboard page and a user's key. The browser has cookies, and the page knows the session's
 * CSRF token.
 */
export class Browser {
  readonly secretKey: Uint8Array = generateSecretKey();
  readonly pubkey: string = getPublicKey(this.secretKey);
  readonly cookies = new Map<string, string>();
  csrf = '';
  readonly #url: string;
  readonly #origin: string;

  constructor(url: string, origin: string) {
    this.#url = url;
    this.#origin = origin;
  }

  /** Calls a route, such as `POST /clients`. Empty headers are omitted. */
  async ask(route: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const [method, path] = route.split(' ') as [string, string];
    const all = {
      cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(method !== 'GET' && {
        origin: this.#origin,
        'content-type': 'application/json',
        'x-csrf-token': this.csrf,
      }),
      ...headers,
    };
    const sent = Object.entries(all).filter(([, value]) => value !== '');
    const response = await fetch(`${this.#url}${ACCOUNT_BASE}${path}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(method !== 'GET' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) this.#take(cookie);
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  /** Requests a challenge, signs it and signs in. */
  async signIn(changes: LoginChanges = {}): Promise<Answer> {
    const { body } = await this.ask('POST /auth/challenge');
    const answer = await this.ask(...this.sign(body, changes));
    if (answer.status === 200) this.csrf = answer.body.csrf;
    return answer;
  }

  /** Returns the route, body and headers of the login for a challenge. */
  sign(
    { challenge, u, method, expiresAt }: { challenge: string; u: string; method: string; expiresAt: number },
    { template = {}, event = (signed) => signed, headers = {}, now = expiresAt - 300_000 }: LoginChanges = {},
  ): [route: string, body: string, headers: Record<string, string>] {
    const body = JSON.stringify({ challenge });
    const payload = createHash('sha256').update(body).digest('hex');
    const tags = [
      ['u', u],
      ['method', method],
      ['payload', payload],
    ];
    const whole = { kind: 27_235, content: '', created_at: Math.floor(now / 1_000), tags, ...template };
    const signed = event(finalizeEvent(whole, this.secretKey));
    const authorization = `Nostr ${Buffer.from(JSON.stringify(signed)).toString('base64')}`;
    return ['POST /auth/login', body, { authorization, ...headers }];
  }

  #take(cookie: string): void {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
    if (cookie.includes('Max-Age=0')) this.cookies.delete(name!);
    else this.cookies.set(name!, value!);
  }
}
