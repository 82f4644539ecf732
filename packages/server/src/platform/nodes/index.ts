export { findNodes, keepPresent, type LiveNode, liveNodes, nodeMigrations, type Presence, type Role } from './nodes.ts';
