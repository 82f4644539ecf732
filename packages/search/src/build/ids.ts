import type { Packed, Records } from './packed.ts';

const NOT_ASCII = /[^\p{ASCII}]/u;

/** Returns the bytes of an id. Throws RangeError if it is empty or not ASCII. */
export function encodeId(id: string): Uint8Array {
  if (id === '' || NOT_ASCII.test(id)) throw new RangeError(`an id must be ASCII and not empty: ${JSON.stringify(id)}`);
  return Uint8Array.from(id, (character) => character.charCodeAt(0));
}

export function decodeId(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

/** Returns the ids' numbers in ascending order of the ids. Throws RangeError for duplicates. */
export function sortIds(ids: Packed): Uint32Array<ArrayBuffer> {
  const order = Uint32Array.from({ length: ids.length }, (_, doc) => doc);
  order.sort((a, b) => compareBytes(ids.get(a), ids.get(b)));
  for (let i = 1; i < order.length; i++) {
    const id = ids.get(order[i]!);
    if (compareBytes(ids.get(order[i - 1]!), id) === 0)
      throw new RangeError(`two documents have the id ${decodeId(id)}`);
  }
  return order;
}

/** Returns the number of this id, or -1 if there is none. */
export function findId(ids: Records, order: Uint32Array, id: string): number {
  if (id === '' || NOT_ASCII.test(id)) return -1;
  const wanted = encodeId(id);
  let low = 0;
  let high = order.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const doc = order[middle]!;
    const comparison = compareBytes(ids.get(doc), wanted);
    if (comparison === 0) return doc;
    if (comparison < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
