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
 * Opens the cluster in which searches run. It does not need to be reachable yet.
 * @returns undefined if searches run in memory
 * @throws OperatorError if a setting is wrong
 */
export function openCluster(config: ClusterConfig): Cluster | undefined {
  return config.search === 'opensearch' ? open(config, 'ZOETROPE_SEARCH=opensearch') : undefined;
}

/**
 * Opens the cluster that is used only for comparisons with the index in memory. It does not need to be reachable.
 * @returns undefined if no searches are compared
 * @throws OperatorError if a setting is wrong
 */
export function openShadow(config: ClusterConfig): Cluster | undefined {
  if (config.search === 'opensearch' || Number(config.shadow) === 0) return undefined;
  return open(config, 'shadow in ZOETROPE_OPENSEARCH_OPTIONS');
}

function open({ urls, user, password, ca, prefix, shards, replicas }: ClusterConfig, purpose: string): Cluster {
  if (urls === '') throw new OperatorError(`${purpose} needs ZOETROPE_OPENSEARCH_URL`);
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
