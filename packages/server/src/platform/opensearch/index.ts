export { type ClientOptions, ClusterClient, ClusterRefusal, type ClusterRequest } from './client.ts';
