import { openKernels } from './kernels.ts';
import { int8Scale } from './quantise.ts';

/*
 * The vectors of a build are divided into lists of similar vectors (k-means, Lloyd 1982), so that a search reads only
 * the lists near the query. Dividing V vectors directly into L lists takes V × L dot products. L grows with √V, so this
 * is too slow for a million vectors. Therefore the vectors are first divided into about √L groups, and then each group
 * is divided into lists.
 */

/**
 * Number of vectors that a search reads, divided by √V. The work of a search therefore grows with the square root of
 * the catalogue's size. With the bundled model, 84,766 titles and 400 queries of the log, recall@200 was .982 with 75,
 * .989 with 150 and .990 if all vectors were read. With 225,133 texts, the recall was .981, .988 and .991. With 75, the
 * best 24 documents by meaning alone changed for some queries. With 150, they hardly changed (2026-11).
 */
const READ = 150;
/**
 * Number of lists divided by √V: 3.5 gave a recall of .982, and 5 gave .983. With more lists, comparing a query with
 * their centroids takes longer.
 */
const LISTS = 5;
/** Minimum number of vectors for lists. With fewer vectors, a search would read all of them. */
const FEW = READ * READ;
/**
 * Maximum length of a list, relative to the average length. A list reaches this maximum only if nearly all its vectors
 * are equal.
 */
const LONGEST = 4;
/**
 * Maximum number of vectors per list that k-means reads. With twice as many vectors and twice as many rounds, recall
 * was only .001 higher.
 */
const SAMPLE = 32;
const ROUNDS = 4;
/** At the end, each vector is compared with the lists of this number of groups, to find its nearest list. */
const NEAR_GROUPS = 4;

const PAGE = 65_536;

/** A division of vectors into lists. */
export interface Lists {
  /**
   * Numbers of the vectors: first the vectors of the first list, then those of the second list, and so on. The numbers
   * ascend within a list.
   */
  order: Uint32Array<ArrayBuffer>;
  /** The position where each list starts in `order`, and the end of the last list. */
  starts: Uint32Array<ArrayBuffer>;
  /** A row for each list: the direction of its mean, in int8 steps like the vectors. */
  centroids: Int8Array<ArrayBuffer>;
}

/**
 * Returns how many vectors a search should read if there are `vectors` in total. A search reads slightly more, because
 * it reads whole lists.
 */
export function readBudget(vectors: number): number {
  return vectors < FEW ? vectors : Math.ceil(READ * Math.sqrt(vectors));
}

/** Returns the maximum length of a list. */
export function longestList(vectors: number): number {
  return vectors < FEW ? vectors : Math.ceil((LONGEST * Math.sqrt(vectors)) / LISTS);
}

/**
 * Divides vectors into lists. The same vectors give the same lists.
 * @param rows one int8 row for each vector
 */
export function makeLists(rows: Int8Array, dimensions: number): Lists {
  const vectors = rows.length / dimensions;
  const all = Uint32Array.from({ length: vectors }, (_, i) => i);
  if (vectors < FEW) return fromMembers(rows, dimensions, [all]);
  const wanted = Math.round(LISTS * Math.sqrt(vectors));
  const space = { rows, dimensions };
  const groups = kMeans(space, all, Math.round(Math.sqrt(wanted)));
  const members = divide(space, all, groups);
  const lists = members.map((group) => kMeans(space, group, Math.ceil((wanted * group.length) / vectors)));
  return fromMembers(rows, dimensions, assign(space, groups, lists));
}

interface Space {
  rows: Int8Array;
  dimensions: number;
}

function rowOf({ rows, dimensions }: Space, i: number): Int8Array {
  return rows.subarray(i * dimensions, (i + 1) * dimensions);
}

/**
 * Returns up to `count` centroids of these vectors. The initial centroids are vectors evenly spaced in the order of
 * popularity.
 */
function kMeans(space: Space, members: Uint32Array, count: number): Int8Array<ArrayBuffer> {
  const sample = everyNth(members, count * SAMPLE);
  let centroids = packed(space, everyNth(sample, count));
  for (let round = 0; round < ROUNDS; round++) centroids = meansOf(space, divide(space, sample, centroids));
  return centroids;
}

function everyNth(members: Uint32Array, count: number): Uint32Array {
  if (members.length <= count) return members;
  return Uint32Array.from({ length: count }, (_, i) => members[Math.floor((i * members.length) / count)]!);
}

function packed(space: Space, members: Uint32Array): Int8Array<ArrayBuffer> {
  const out = new Int8Array(members.length * space.dimensions);
  for (const [i, member] of members.entries()) out.set(rowOf(space, member), i * space.dimensions);
  return out;
}

/** Returns the vectors nearest to each centroid. A centroid without vectors is left out. */
function divide(space: Space, members: Uint32Array, centroids: Int8Array): Uint32Array[] {
  const nearest = new Nearest(centroids, space.dimensions);
  const everyone = Uint32Array.from({ length: nearest.count }, (_, i) => i);
  nearest.choose(everyone);
  return gather(
    members,
    Uint32Array.from(members, (member) => nearest.best(rowOf(space, member))),
    nearest.count,
  );
}

/** Groups vectors by their assigned numbers. A number without a vector is left out. */
function gather(members: Uint32Array, numbers: Uint32Array, count: number): Uint32Array[] {
  const lengths = new Uint32Array(count);
  for (const number of numbers) lengths[number]! += 1;
  const lists = Array.from(lengths, (length) => new Uint32Array(length));
  lengths.fill(0);
  for (const [i, number] of numbers.entries()) lists[number]![lengths[number]!++] = members[i]!;
  return lists.filter((list) => list.length > 0);
}

/** Assigns every vector to the nearest list of the nearest groups. */
function assign(space: Space, groups: Int8Array, lists: readonly Int8Array[]): Uint32Array[] {
  const { rows, dimensions } = space;
  const all = new Int8Array(lists.reduce((sum, { length }) => sum + length, 0));
  const numbers: Uint32Array[] = [];
  let at = 0;
  for (const centroids of lists) {
    all.set(centroids, at);
    const first = at / dimensions;
    numbers.push(Uint32Array.from({ length: centroids.length / dimensions }, (_, i) => first + i));
    at += centroids.length;
  }
  const nearGroups = new Nearest(groups, dimensions);
  nearGroups.choose(Uint32Array.from({ length: nearGroups.count }, (_, i) => i));
  const nearest = new Nearest(all, dimensions);
  const members = Uint32Array.from({ length: rows.length / dimensions }, (_, i) => i);
  const chosen = members.map((member) => {
    const row = rowOf(space, member);
    const near = nearGroups.bestFew(row, NEAR_GROUPS);
    nearest.chooseAll(near.map((group) => numbers[group]!));
    return nearest.best(row);
  });
  return gather(members, chosen, nearest.count);
}

/** Cuts long lists, orders the vectors by list, and computes the centroids. */
function fromMembers(rows: Int8Array, dimensions: number, members: readonly Uint32Array[]): Lists {
  const longest = longestList(rows.length / dimensions);
  const lists = members.flatMap((list) => {
    const parts = Math.ceil(list.length / longest);
    return Array.from({ length: parts }, (_, i) => list.subarray(i * longest, (i + 1) * longest));
  });
  const order = new Uint32Array(rows.length / dimensions);
  const starts = new Uint32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) {
    order.set(list, starts[i]);
    starts[i + 1] = starts[i]! + list.length;
  }
  return { order, starts, centroids: meansOf({ rows, dimensions }, lists) };
}

/** Returns, for each set of vectors, the unit vector in the direction of their mean, in int8 steps. */
function meansOf(space: Space, sets: readonly Uint32Array[]): Int8Array<ArrayBuffer> {
  const { dimensions } = space;
  const out = new Int8Array(sets.length * dimensions);
  const sum = new Float64Array(dimensions);
  for (const [i, set] of sets.entries()) {
    sum.fill(0);
    for (const member of set) {
      const row = rowOf(space, member);
      for (let d = 0; d < dimensions; d++) sum[d]! += row[d]!;
    }
    const steps = int8Scale(dimensions) / (Math.sqrt(sum.reduce((square, value) => square + value * value, 0)) || 1);
    for (let d = 0; d < dimensions; d++) {
      out[i * dimensions + d] = Math.max(-127, Math.min(127, Math.round(sum[d]! * steps)));
    }
  }
  return out;
}

/** Finds the nearest of some centroids, with the compiled loops. */
class Nearest {
  readonly count: number;
  readonly #query: Int8Array;
  readonly #numbers: Uint32Array;
  readonly #dots: Int32Array;
  readonly #run: (count: number) => void;
  #chosen = 0;

  constructor(centroids: Int8Array, dimensions: number) {
    this.count = centroids.length / dimensions;
    const numbers = Math.ceil((centroids.length + dimensions) / 64) * 64;
    const dots = numbers + 4 * this.count;
    const pages = Math.ceil((dots + 4 * this.count) / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    new Int8Array(memory.buffer).set(centroids);
    this.#query = new Int8Array(memory.buffer, centroids.length, dimensions);
    this.#numbers = new Uint32Array(memory.buffer, numbers, this.count);
    this.#dots = new Int32Array(memory.buffer, dots, this.count);
    const kernels = openKernels(memory);
    this.#run = (count) => kernels.dots(0, numbers, count, dimensions, centroids.length, dots);
  }

  /** Chooses the centroids that the next calls compare. */
  choose(numbers: Uint32Array): void {
    this.#numbers.set(numbers);
    this.#chosen = numbers.length;
  }

  chooseAll(sets: readonly Uint32Array[]): void {
    this.#chosen = 0;
    for (const numbers of sets) {
      this.#numbers.set(numbers, this.#chosen);
      this.#chosen += numbers.length;
    }
  }

  /**
   * Returns the number of the chosen centroid with the largest dot product. If several have the same dot product,
   * returns the first one.
   */
  best(row: Int8Array): number {
    this.#compute(row);
    let best = 0;
    for (let i = 1; i < this.#chosen; i++) if (this.#dots[i]! > this.#dots[best]!) best = i;
    return this.#numbers[best]!;
  }

  /** Returns the numbers of the `few` nearest centroids, nearest first. */
  bestFew(row: Int8Array, few: number): number[] {
    this.#compute(row);
    const best: number[] = [];
    for (let i = 0; i < this.#chosen; i++) {
      let at = best.length;
      while (at > 0 && this.#dots[i]! > this.#dots[best[at - 1]!]!) at--;
      if (at < few) best.splice(at, 0, i);
      if (best.length > few) best.pop();
    }
    return best.map((i) => this.#numbers[i]!);
  }

  #compute(row: Int8Array): void {
    this.#query.set(row);
    this.#run(this.#chosen);
  }
}
