export { makeFolderDurably, ORPHAN_MS, replaceDurably, syncFile, syncFolder, writeDurably } from './durable.ts';
