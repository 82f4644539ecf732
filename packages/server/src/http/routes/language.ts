import type { FastifyInstance } from 'fastify';
import { basePathOf } from '../../base/base-path.ts';
import { ServiceError } from '../../base/errors.ts';
import { readQueryString } from '../cached-route.ts';
import type { HttpContext } from '../context.ts';
import { isLanguage, LANGUAGE_COOKIE, LANGUAGES } from '../page/words/words.ts';

const YEAR_S = 365 * 24 * 3_600;
/** Matches a path of this service. A path with a second slash at its start would lead to another host. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x7e]*$/;

/** Registers the links for choosing the language of the pages. The cookie contains only the language. */
export function registerLanguage(app: FastifyInstance, { publicUrl }: Pick<HttpContext, 'publicUrl'>): void {
  const base = basePathOf(publicUrl);
  app.get('/language', (request, reply) => {
    const { to, at } = readQueryString(request.raw.url!);
    if (typeof to !== 'string' || !isLanguage(to)) {
      throw new ServiceError('validation', `to must be one of ${Object.keys(LANGUAGES).join(', ')}`);
    }
    const place = typeof at === 'string' && OWN_PATH.test(at) ? at : '/';
    const cookie = `${LANGUAGE_COOKIE}=${to}; Path=${base}/; Max-Age=${YEAR_S}; SameSite=Lax`;
    return reply
      .header('set-cookie', cookie)
      .header('cache-control', 'no-store')
      .redirect(base + place, 303);
  });
}
