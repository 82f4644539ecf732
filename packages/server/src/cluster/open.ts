import fs from 'node:fs';
import { OperatorError } from '../base/errors.ts';
import { ClusterClient } from '../platform/opensearch/index.ts';
import type { ClusterConfig } from './config.ts';
import type { ClusterLayout } from './layout.ts';

/** A cluster, and the layout of the catalogue's indexes in it. */
export interface Cluster {
  client: ClusterClient;
  layout: ClusterLayout;
}

/**
 * Opens the configured cluster. The cluster does not need to be reachable yet. @throws OperatorError if a setting is
 * wrong
 */
export function openCluster({ urls, user, password, ca, prefix, shards, replicas }: ClusterConfig): Cluster {
  if (urls === '') throw new OperatorError('ZOETROPE_SEARCH=opensearch needs ZOETROPE_OPENSEARCH_URL');
  const client = new ClusterClient({
    urls: urls.split(',').map((url) => url.trim()),
    ...(user !== '' && { user: { name: user, password } }),
    ca: ca === '' ? undefined : readAuthorities(ca),
  });
  return { client, layout: { prefix, shards, replicas } };
}

function readAuthorities(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new OperatorError(`The file ${file} (ca in ZOETROPE_OPENSEARCH_OPTIONS) cannot be read: ${code}`, { cause });
  }
}
