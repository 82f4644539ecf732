export { addPack, type LoadedPack, listPacks, loadPacks, type PackInfo, packsState, removePack } from './packs.ts';
