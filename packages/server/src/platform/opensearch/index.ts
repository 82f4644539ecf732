export { type ClientOptions, ClusterClient, ClusterRefusal, type ClusterRequest, COSINE } from './client.ts';
