import {
  type Alternative,
  ANY_LANGUAGE,
  BLOCK,
  ENGLISH,
  filterHash,
  HEAD,
  LANGUAGES_VERSION,
  MAX_KEY_LENGTH,
  oneByteLetters,
  stemKey,
  WEIGHT_UNITS,
} from './format.ts';

/** An entry whose alternatives are decoded on demand, because most entries are only checked for their weight. */
export interface StoredEntry {
  language: number;
  /** Weight of the best alternative, or 0 if there is none. */
  weight: number;
  /** Whether the entry is from an operator's pack. */
  fromPack?: true;
  alternatives: () => readonly Alternative[];
}

/**
 * Looks up terms of all languages directly in their bytes (format.ts). Threads can share the bytes, but each thread
 * needs its own instance, because an instance has working memory.
 */
export class Dictionary {
  readonly #bytes: Uint8Array;
  readonly #filter: Uint32Array;
  readonly #blockOffsets: Uint32Array;
  readonly #phraseOffsets: Uint32Array;
  readonly #alphabet: Uint16Array;
  readonly #oneByte: number;
  readonly #phraseStart: number;
  readonly #listStart: number;
  readonly #blockStart: number;
  /** The letters of the term that was read last. */
  readonly #letters: Uint16Array = new Uint16Array(MAX_KEY_LENGTH);
  #length = 0;
  #at = 0;

  /** Throws RangeError if the data has another version or is not aligned to 4 bytes. */
  constructor(bytes: Uint8Array) {
    const head = new Uint32Array(bytes.buffer, bytes.byteOffset, HEAD);
    const [version, blocks = 0, phrases = 0, filter = 0, letters = 0, lists = 0] = head;
    if (version !== LANGUAGES_VERSION) throw new RangeError(`a table of version ${version}, not ${LANGUAGES_VERSION}`);
    this.#filter = new Uint32Array(bytes.buffer, bytes.byteOffset + HEAD * 4, filter);
    const first = bytes.byteOffset + (HEAD + filter) * 4;
    this.#blockOffsets = new Uint32Array(bytes.buffer, first, blocks + 1);
    this.#phraseOffsets = new Uint32Array(bytes.buffer, first + (blocks + 1) * 4, phrases + 1);
    const alphabetStart = (HEAD + filter + blocks + phrases + 2) * 4;
    this.#alphabet = new Uint16Array(bytes.buffer, bytes.byteOffset + alphabetStart, letters);
    this.#oneByte = oneByteLetters(letters);
    this.#phraseStart = alphabetStart + Math.ceil(letters / 2) * 4;
    this.#listStart = this.#phraseStart + this.#phraseOffsets[phrases]!;
    this.#blockStart = this.#listStart + lists;
    this.#bytes = bytes;
  }

  /** Returns the meanings of a term (see `keyOf`) in each language that has it. */
  find(term: string): readonly StoredEntry[] {
    if (term.length === 0 || term.length > MAX_KEY_LENGTH || !this.#mayHave(term, ANY_LANGUAGE)) return [];
    const block = this.#blockOf(term);
    if (block < 0) return [];
    this.#at = this.#blockStart + this.#blockOffsets[block]!;
    const end = this.#blockStart + this.#blockOffsets[block + 1]!;
    for (let i = 0; i < BLOCK && this.#at < end; i++) {
      this.#readTerm();
      const bytes = this.#readVarint();
      const comparison = this.#compare(term);
      if (comparison === 0) return this.#readEntries(this.#at + bytes);
      if (comparison > 0) return [];
      this.#at += bytes;
    }
    return [];
  }

  /** Returns the English entry of a term, if it has one. */
  findEnglish(term: string): StoredEntry | undefined {
    if (!this.#mayHave(term, ENGLISH)) return undefined;
    return this.find(term).find(({ language }) => language === ENGLISH);
  }

  /** Returns false if no term of the language has this stem (stems.ts). True does not guarantee that a term has it. */
  mayHaveStem(stem: string, language: number): boolean {
    return this.#mayHave(stem, language);
  }

  /**
   * Returns the terms that have a stem in at least one of these languages, each with the languages in which it has one.
   */
  withStem(stem: string, languages: readonly number[]): { term: string; languages: readonly number[] }[] {
    const key = stemKey(stem);
    if (key.length > MAX_KEY_LENGTH) return [];
    const terms: { term: string; languages: readonly number[] }[] = [];
    for (let block = Math.max(0, this.#blockOf(key)); block < this.#blockOffsets.length - 1; block++) {
      this.#at = this.#blockStart + this.#blockOffsets[block]!;
      const end = this.#blockStart + this.#blockOffsets[block + 1]!;
      while (this.#at < end) {
        this.#readTerm();
        const bytes = this.#readVarint();
        const next = this.#at + bytes;
        const comparison = this.#compareStart(key);
        if (comparison > 0) return terms;
        if (comparison === 0) {
          const having = this.#readEntries(next).map(({ language }) => language);
          const own = languages.filter((language) => having.includes(language));
          const term = String.fromCharCode(...this.#letters.subarray(key.length, this.#length));
          if (own.length > 0) terms.push({ term, languages: own });
        }
        this.#at = next;
      }
    }
    return terms;
  }

  /** Returns false if a term, English word or stem is unknown. True does not guarantee that it is known. */
  #mayHave(text: string, language: number): boolean {
    const hash = filterHash(text, language) & (32 * this.#filter.length - 1);
    return (this.#filter[hash >>> 5]! & (1 << (hash & 31))) !== 0;
  }

  /** Returns the last block whose first term is not after `term`, or -1 if there is none. */
  #blockOf(term: string): number {
    let low = 0;
    let high = this.#blockOffsets.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      this.#at = this.#blockStart + this.#blockOffsets[middle]!;
      if (this.#compareFirst(term) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Compares the first term of a block with `term`, and reads only as many letters as necessary. */
  #compareFirst(term: string): number {
    const length = this.#bytes[this.#at + 1]!;
    this.#at += 2;
    for (let i = 0; i < length && i < term.length; i++) {
      const difference = this.#readLetter() - term.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return length - term.length;
  }

  #readTerm(): void {
    const shared = this.#bytes[this.#at]!;
    this.#length = shared + this.#bytes[this.#at + 1]!;
    this.#at += 2;
    for (let i = shared; i < this.#length; i++) this.#letters[i] = this.#readLetter();
  }

  #readLetter(): number {
    const byte = this.#bytes[this.#at]!;
    this.#at += 1;
    if (byte < this.#oneByte) return this.#alphabet[byte]!;
    const next = this.#bytes[this.#at]!;
    this.#at += 1;
    return this.#alphabet[this.#oneByte + ((byte - this.#oneByte) << 8) + next]!;
  }

  #readVarint(): number {
    let value = 0;
    let shift = 0;
    let byte = 0;
    do {
      byte = this.#bytes[this.#at]!;
      this.#at += 1;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    return value;
  }

  /**
   * Compares the term that was read last with `term`. Returns a negative number if the term that was read comes first.
   */
  #compare(term: string): number {
    const shorter = Math.min(this.#length, term.length);
    for (let i = 0; i < shorter; i++) {
      const difference = this.#letters[i]! - term.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return this.#length - term.length;
  }

  /**
   * Compares the prefix of the term that was read last with `beginning`. Returns 0 if the term starts with `beginning`.
   */
  #compareStart(beginning: string): number {
    const shorter = Math.min(this.#length, beginning.length);
    for (let i = 0; i < shorter; i++) {
      const difference = this.#letters[i]! - beginning.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return this.#length < beginning.length ? -1 : 0;
  }

  #readEntries(end: number): StoredEntry[] {
    const entries: StoredEntry[] = [];
    while (this.#at < end) {
      const language = this.#bytes[this.#at]!;
      this.#at += 1;
      const list = this.#listStart + this.#readVarint();
      const weight = this.#bytes[list] === 0 ? 0 : weightOf(this.#bytes[list + 1]!);
      entries.push({ language, weight, alternatives: () => this.#alternatives(list) });
    }
    return entries;
  }

  #alternatives(list: number): Alternative[] {
    const count = this.#bytes[list]!;
    this.#at = list + 1;
    return Array.from({ length: count }, () => {
      const value = this.#readVarint();
      return { phrase: this.#phrase(value >>> 3), weight: weightOf(value) };
    });
  }

  #phrase(number: number): string {
    const start = this.#phraseStart + this.#phraseOffsets[number]!;
    const end = this.#phraseStart + this.#phraseOffsets[number + 1]!;
    return String.fromCharCode(...this.#bytes.subarray(start, end));
  }
}

function weightOf(value: number): number {
  return ((value & (WEIGHT_UNITS - 1)) + 1) / WEIGHT_UNITS;
}
