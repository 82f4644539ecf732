import { ServiceError } from '../../base/errors.ts';

const WILDCARD = /^https:\/\/\*\.([^:]+)/;

/**
 * Makes sure that the subdomains of a wildcard origin belong together. Below `co.uk` or `github.io` anybody can have
 * one: that client would stand for strangers.
 * @param origin in its canonical form
 * @throws ServiceError `validation`
 */
export async function requireOwnSubdomains(origin: string): Promise<void> {
  const domain = WILDCARD.exec(origin)?.[1];
  if (domain === undefined) return;
  // 8 MB of rules, for which no thread that only answers has any use.
  const { getPublicSuffix } = await import('tldts');
  // Asked for a subdomain: that also finds suffixes which themselves have any label in front, such as *.ck.
  const suffix = getPublicSuffix(`a.${domain}`, { allowPrivateDomains: true });
  if (suffix !== domain && suffix !== `a.${domain}`) return;
  throw new ServiceError(
    'validation',
    `origin ${origin} would admit strangers: anybody can get a name below ${domain}, which is a public suffix; ` +
      `register https://*.NAME.${domain} or the very hosts instead`,
  );
}
