export { makeFolderDurably, syncFile, syncFolder, writeDurably } from './durable.ts';
