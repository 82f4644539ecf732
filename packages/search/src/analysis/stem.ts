/** Minimum length of a word that is stemmed. Shorter words have no ending to lose: "his", "red". */
const SHORTEST = 4;

const PLAIN_WORD = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;

/** Words that end in -ie. The plural of such a word looks like the plural of a word in -y. */
const IN_IE: ReadonlySet<string> = new Set(
  `birdie brownie calorie cookie cutie foodie freebie genie hippie homie hoodie junkie movie newbie pie rookie selfie
  smoothie tie veggie zombie`.split(/\s+/),
);
/** Words that look inflected but are not. */
const WHOLE: ReadonlySet<string> = new Set(
  `alias always anything atlas being bowling ceiling chaos christmas cosmos does doing during evening everything going hers
  hundred james kudos lens mars morning news nothing ours pants series shed sibling something species texas theirs
  tired wedding wicked yours`.split(/\s+/),
);
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  ['dying die', 'lying lie', 'purring purr', 'purred purr', 'tying tie'].map(
    (pair) => pair.split(' ') as [string, string],
  ),
);

/** The Arabic article at the start of a word, after "and", "with", "like" or "then". */
const ARABIC_ARTICLE = /^[وبكف]?ال(?=.{3})/;

/**
 * Returns the base form of an English word, by rules for -s, -es, -ies, -ing and -ed, or the word itself. The rules are
 * deliberately light (Harman, "How effective is suffixing?", 1991): endings that change the meaning stay ("dancer",
 * "happily"), and words with letters other than a to z stay unchanged, except that an Arabic word loses its article. A
 * wrong base form does no harm if documents and queries have the same one, and no other word has it.
 */
export function stem(word: string): string {
  if (word.length >= SHORTEST && word.charCodeAt(0) > 127) return word.replace(ARABIC_ARTICLE, '');
  if (word.length < SHORTEST || !PLAIN_WORD.test(word) || WHOLE.has(word)) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.endsWith('s')) return singular(word);
  if (word.endsWith('ing')) return withoutEnding(word, 3);
  if (word.endsWith('ied')) return word.length === SHORTEST ? word.slice(0, -1) : `${word.slice(0, -3)}y`;
  if (word.endsWith('ed')) return withoutEnding(word, 2);
  return word;
}

/** Removes a plural ending: kisses -> kiss, ponies -> pony, cats -> cat. Does not change kiss, bus and tennis. */
function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) {
    const inIe = word.slice(0, -1);
    return inIe.length === 3 || IN_IE.has(inIe) ? inIe : `${word.slice(0, -3)}y`;
  }
  return /(?:ss|x|zz|ch|sh|..[drt]o|cho)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** Removes -ing or -ed and restores the base form: running -> run, smiled -> smile, eating -> eat. */
function withoutEnding(word: string, ending: number): string {
  const rest = word.slice(0, -ending);
  if (rest.length < 2 || !VOWEL.test(rest) || /[aio]$|[^eoy]e$/.test(rest)) return word;
  if (/e[ed]$/.test(rest) && ending === 2) return word;
  if (/([bdgkmnprt])\1$/.test(rest)) return rest.slice(0, -1);
  return hasLostE(rest) ? `${rest}e` : rest;
}

/**
 * Returns whether an -e was dropped before the ending. This is always so after c, v and u (dance, wave, argue), usually
 * after s and z (tease, doze), and after a consonant and -l or -g (juggle, charge). It is also so after one vowel other
 * than e and one consonant (make, surprise, but not open), because a word without an -e would have doubled the
 * consonant.
 */
function hasLostE(rest: string): boolean {
  if (/(?:ss|cus|[sdmb]it)$/.test(rest)) return false;
  if (/(?:[cvu]|[^z]z|[^t]s|[bcdfgkptz]l|[dr]g|(?:ch|r|m)ang)$/.test(rest)) return true;
  return /^[^aeiou]*[aeiouy][^aeiouwxy]$/.test(rest) || /[^aeiou][aiou][^aeiouwxyl]$/.test(rest);
}
