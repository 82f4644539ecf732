import { ServiceError } from '../base/errors.ts';

const WILDCARD = /^https:\/\/\*\.([^:]+)/;

/**
 * Checks that all subdomains of a wildcard origin belong to one owner. Anyone can get a name below `co.uk` or
 * `github.io`, so a wildcard for such a domain would admit strangers.
 * @param origin in canonical form
 * @throws ServiceError `validation`
 */
export async function requireOwnSubdomains(origin: string): Promise<void> {
  const domain = WILDCARD.exec(origin)?.[1];
  if (domain === undefined) return;
  // The rules are loaded on demand, because they take 8 MB and serving threads do not need them.
  const { getPublicSuffix } = await import('tldts');
  // The added subdomain makes the look-up also find suffixes with a wildcard, such as *.ck.
  const suffix = getPublicSuffix(`a.${domain}`, { allowPrivateDomains: true });
  if (suffix !== domain && suffix !== `a.${domain}`) return;
  throw new ServiceError(
    'validation',
    `origin ${origin} would admit strangers, because anyone can get a name below ${domain}, a public suffix; ` +
      `register https://*.NAME.${domain} or single hosts instead`,
  );
}
