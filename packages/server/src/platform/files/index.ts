export { makeFolderDurably, replaceDurably, syncFile, syncFolder, writeDurably } from './durable.ts';
