import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EMOJI, languageOf, RARE_ENGLISH } from '../languages/format.ts';
import { Languages } from '../languages/languages.ts';
import { Synonyms } from '../languages/synonyms.ts';
import { writeLanguages } from '../languages/writer.ts';
import { weighQuery } from './plan.ts';
import { readTermRequests } from './words.ts';

const languages = new Languages(
  writeLanguages(
    new Map([
      ['🍦', [{ language: EMOJI, alternatives: [{ phrase: 'ice cream', weight: 1 }] }]],
      [
        '👓',
        [
          {
            language: EMOJI,
            alternatives: [
              { phrase: 'glasses', weight: 1 },
              { phrase: 'dark eyewear', weight: 0.5 },
              { phrase: 'lenses', weight: 0.25 },
            ],
          },
        ],
      ],
    ]),
  ),
);

const byTerm = (query: string) => {
  const { wanted, ...rest } = readTermRequests(query, languages);
  return { ...rest, wanted: Object.fromEntries(wanted.map(({ term, ...one }) => [term, one])) };
};

test('a word that is also English has its meaning in another language only if few documents have the word', () => {
  const turkish = { language: languageOf('tr')!, alternatives: [{ phrase: 'home', weight: 1 }] };
  const both = [turkish, { language: RARE_ENGLISH, alternatives: [] }];
  const helped = (entries: typeof both, preferred?: number) => {
    const { wanted } = readTermRequests('eve', new Languages(writeLanguages(new Map([['eve', entries]]))), preferred);
    return wanted.find(({ term }) => term === 'home')!.helps;
  };
  expect(helped(both)).toEqual({ words: 'eve', below: 24 });
  expect(helped(both, languageOf('tr'))).toBeUndefined();
  expect(helped([turkish])).toBeUndefined();
});

test('searches the emoji itself, and with less weight its meaning', () => {
  const { wanted, words, translated } = byTerm('👓');
  expect({ words, translated }).toEqual({ words: 1, translated: true });
  expect(wanted['👓']).toMatchObject({ share: 1, covers: 1 });
  expect(wanted['glass']).toMatchObject({ share: 0.35, covers: 1, ceiling: ['glass'] });
  expect(wanted['glasses']).toMatchObject({ share: 0.35, rarity: 'glass', covers: 0 });
  expect(wanted['lenses']!.share).toBeCloseTo(0.2 * 0.7 * 0.25 ** 6, 6);
  expect(wanted['eyewear']!.share).toBeCloseTo((0.7 * 0.5 ** 6) / 2, 4);
  expect(wanted['darkeyewear']!.share).toBeCloseTo(0.7 * 0.5 ** 6, 4);
  // The single word "eyewear" is not enough for "dark eyewear".
  expect(['eyewear', 'darkeyewear', 'dark eyewear'].map((term) => wanted[term]!.covers)).toEqual([0, 1, 1]);
});

test('the meaning of an emoji covers only the emoji', () => {
  const { wanted, words } = byTerm('cat 👓');
  expect(words).toBe(2);
  expect(wanted['cat']!.covers).toBe(1);
  expect([wanted['👓']!.covers, wanted['glass']!.covers]).toEqual([2, 2]);
});

test('function words have little weight and do not count, unless there are no others', () => {
  const { wanted, words, translated } = byTerm('the cats');
  expect({ words, translated }).toEqual({ words: 1, translated: false });
  expect(wanted).toEqual({
    the: { rarity: 'the', share: 0.3, covers: 0 },
    cat: { rarity: 'cat', share: 0.8, covers: 1 },
    cats: { rarity: 'cat', share: 0.2, covers: 0 },
    '+the': { rarity: 'the', share: 0.15, covers: 0 },
    '+cats': { rarity: 'cats', share: 0.5, covers: 1 },
    thecats: { rarity: 'thecats', share: 1, covers: 3 },
    'the cats': { rarity: 'the cats', share: 0.2, covers: 2 },
  });
  expect(byTerm('the').words).toBe(1);
});

test('neighbours are a phrase in a short query, with function words only if the query could be a name', () => {
  const phrasesOf = (query: string) => Object.keys(byTerm(query).wanted).filter((term) => term.includes(' '));
  expect(phrasesOf('let it go')).toEqual(['let it', 'it go']);
  expect(phrasesOf('happy cat in the rain')).toEqual(['happy cat']);
  expect(phrasesOf('one two three four five')).toEqual([]);
});

test('a word and a function word that belongs to it count as a phrase, as do its synonyms', () => {
  const { wanted, words } = byTerm('thumbs down');
  expect(words).toBe(1);
  expect(wanted['thumb']!.covers).toBe(1);
  expect(wanted['thumbs down']!.covers).toBe(2);
  expect(wanted['thumbsdown']!.covers).toBe(3);
  for (const query of ['a cat', 'cat dance', 'the cat dances', '"thumbs down"'])
    expect(byTerm(query).wanted[query]?.covers ?? 0, query).toBe(0);
});

test('a plainer phrase is searched only as a phrase if its single words mean something else', () => {
  languages.synonyms = new Synonyms([
    ['awful', 'thumbs down', 'not bad', 'wake up'],
    ['thumbs down', 'boo'],
  ]);
  const terms = Object.keys(byTerm('awful').wanted);
  expect(terms).toEqual(expect.arrayContaining(['thumbs down', 'thumbsdown', 'not bad', 'notbad', 'wake']));
  for (const term of ['thumb', 'bad', 'wake up']) expect(terms).not.toContain(term);
  expect(byTerm('thumbs down').wanted['boo']!.covers).toBe(3);
  languages.synonyms = new Synonyms([]);
});

test('a quoted phrase counts like one more word', () => {
  const { wanted, words } = byTerm('“the office” dance');
  expect(words).toBe(3);
  expect(wanted['the office']).toEqual({ rarity: 'the office', share: 1, covers: 4 });
  expect(wanted['office dance']).toMatchObject({ covers: 0 });
  // With four words, there is no bit left for the phrase, but the words still count.
  expect(byTerm('“high five” cat dance').words).toBe(4);
  // None of these queries has a quoted phrase.
  for (const query of ['"', '""', '"cat"', 'the 5" cat', 'cat "dog', '“”']) {
    const phrases = Object.entries(byTerm(query).wanted).filter(([term]) => term.includes(' '));
    expect(phrases.every(([, { share }]) => share < 1)).toBe(true);
  }
});

test('coverage counts up to four words', () => {
  expect(byTerm('cat dog bird fish').words).toBe(4);
  const { wanted, words } = byTerm('cat dog bird fish cow');
  expect(words).toBe(0);
  expect(Object.values(wanted).every(({ covers }) => covers === 0)).toBe(true);
});

/** Describes a catalogue of 1,000 GIFs. `counts` has the number of GIFs with each term. */
const catalogueWith = (counts: Readonly<Record<string, number>>) => ({
  safeDocuments: 1_000,
  frequencyOf: (term: string) => counts[term] ?? 0,
});

test('no meaning counts as rarer than the best one', () => {
  const { terms } = weighQuery(catalogueWith({ glass: 500, eyewear: 1, darkeyewear: 1 }), '👓', { languages });
  expect(terms.map(({ term }) => term).sort()).toEqual(['darkeyewear', 'eyewear', 'glass']);
  const [best] = terms.toSorted((a, b) => b.weight - a.weight);
  expect(best!.term).toBe('glass');
});

test('a meaning of two words counts as rare as the rarer one', () => {
  const { terms } = weighQuery(catalogueWith({ ice: 500, cream: 1, icecream: 1 }), '🍦', { languages });
  const weights = Object.fromEntries(terms.map(({ term, weight }) => [term, weight]));
  expect(weights['cream']).toBeGreaterThan(5 * weights['ice']!);
  expect(weights['icecream']).toBeGreaterThan(5 * weights['ice']!);
});

describe('with the table that the service uses', () => {
  /** tools/models creates this table. */
  const all = new Languages(fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url)));

  const searched = (query: string, counts: Readonly<Record<string, number>>) =>
    weighQuery(catalogueWith(counts), query, { languages: all }).terms.map(({ term }) => term);

  test('a word that only looks English counts less beside a foreign word', () => {
    const shareOf = (query: string) => readTermRequests(query, all).wanted.find(({ term }) => term === 'chat')!.share;
    expect([shareOf('chat mignon'), shareOf('chat room')]).toEqual([0.4, 1]);
  });

  test('an English word also has its meaning in another language, if its own results do not fill a page', () => {
    expect(searched('cane', { cane: 23, dog: 5 })).toContain('dog');
    expect(searched('cane', { cane: 24, dog: 5 })).not.toContain('dog');
  });

  test('a word of a language without a column is translated only if no GIF has it', () => {
    expect(searched('kiki', { nerd: 5 })).toEqual(['nerd']);
    expect(searched('kiki', { kiki: 1, nerd: 5 })).toEqual(['kiki']);
  });

  test('a name of several words is not translated only because each looks like a form of a foreign word', () => {
    const catalogue = { amane: 1, kanata: 1, blood: 5, nooo: 5, yikes: 5 };
    expect(searched('amane kanata', catalogue)).toEqual(['amane', 'kanata']);
    expect(searched('kanata', { blood: 5 })).toEqual(['blood']);
  });

  test('a number beside a word does not count as a match, unless the query is long or is translated', () => {
    const covers = (query: string, term: string) =>
      readTermRequests(query, all).wanted.find((one) => one.term === term)!.covers;
    expect([covers('persona 5', '5'), covers('2nd persona', '2nd'), covers('final fantasy xiv', 'xiv')]).toEqual([
      0, 0, 0,
    ]);
    expect([covers('5', '5'), covers('5 000', '000')]).toEqual([1, 2]);
    expect(covers('cat dog bird 2', '2')).toBe(8);
    expect(covers('2 gatos', '2')).toBe(1);
  });

  test('a word that only looks like a form of a foreign word is translated only if no GIF has it', () => {
    expect(searched('elena', { gesture: 5 })).toEqual(['gesture']);
    expect(searched('elena', { elena: 1, gesture: 5 })).toEqual(['elena']);
    expect(searched('gato', { gato: 1, cat: 5 })).toEqual(['gato', 'cat']);
  });

  test('a phrase with an apostrophe that has a meaning is not cut', () => {
    expect(searched("d'accord", { accord: 5, agree: 5 })).toEqual(['agree']);
    expect(searched("l'amour", { amour: 5 })).toEqual(['amour']);
  });

  test('a series in parentheses weighs more than the name before it, unless its words are English', () => {
    const shareOf = (query: string, word: string) =>
      readTermRequests(query, all).wanted.find(({ term }) => term === word)!.share;
    expect([shareOf('yamato (kancolle)', 'yamato'), shareOf('yamato (kancolle)', 'kancolle')]).toEqual([0.3, 1]);
    for (const query of ['yamato (classic)', 'yamato kancolle', '(kancolle) yamato'])
      expect(shareOf(query, 'yamato'), query).toBe(1);
    expect(shareOf('yamato (classic)', 'classic')).toBe(0.1);
  });

  test('a rare word of a name that no GIF has is not searched', () => {
    expect(searched('genshin impact', { impact: 4 })).toEqual([]);
    expect(searched('genshin impact', { genshin: 1, impact: 4 })).toEqual(['genshin', 'impact']);
    expect(searched('zendaya dancing', { dance: 5 })).toEqual(['dance']);
    expect(searched('jean (umamusume)', { jean: 4 })).toEqual([]);
    expect(searched('minecraft (video game)', { video: 4, game: 4 })).toEqual([]);
    expect(searched('impact crater', { impact: 4 })).toEqual(['impact']);
  });

  test('the rare word is searched if it is a tag, a character or a series', () => {
    const suggester = { isName: (word: string) => word === 'impact' };
    const { terms, isName } = weighQuery(catalogueWith({ impact: 4 }), 'genshin impact', { languages: all, suggester });
    expect(terms.map(({ term }) => term)).toEqual(['impact']);
    expect(isName).toBe(true);
  });

  test('a name alone counts like two words of its series, because one word of a series is not the series', () => {
    const read = (query: string) =>
      weighQuery(catalogueWith({ ganyu: 1, blue: 9, archive: 9, 'blue archive': 5 }), query, { languages: all });
    const { terms, least } = read('ganyu (blue archive)');
    expect(least).toBe(2);
    expect(terms.find(({ term }) => term === 'ganyu')!.covers).toBe(0b011);
    expect(terms.find(({ term }) => term === 'archive')!.covers).toBe(0b100);
    expect(read('ganyu (blue)').least).toBe(1);
  });

  test('a series counts more than a name before it, although other names count like two words', () => {
    const covers = (query: string, term: string) =>
      readTermRequests(query, all).wanted.find((one) => one.term === term)!.covers;
    expect([covers('lana (pokemon)', 'lana'), covers('lana (pokemon)', 'pokemon')]).toEqual([0b01, 0b10]);
    expect(covers('kannagi singing', 'kannagi')).toBe(0b101);
  });

  test.each<[string, Record<string, number>, string[]]>([
    ['rio (blue archive)', { rio: 9, blue: 9, archive: 9 }, ['archive', 'blue']],
    [
      'rio (blue archive)',
      { rio: 9, blue: 9, archive: 9, 'blue archive': 5 },
      ['archive', 'blue', 'blue archive', 'rio'],
    ],
    // Here, the catalogue has the series as a tag.
    ['rio (night city)', { rio: 9, night: 9, city: 9 }, ['city', 'night', 'rio']],
    ['lucy (cyberpunk)', { lucy: 9 }, []],
    ['asuna (sao)', { asuna: 9 }, ['asuna']],
    ['serika (swimsuit) (blue archive)', { serika: 1, swimsuit: 9 }, ['swimsuit']],
    // In a long query, any word of the series would be enough.
    ['silver wolf (honkai star rail)', { silver: 9, wolf: 9, honkai: 9, star: 9, rail: 9 }, []],
    ['silver wolf (honkai star rail)', { silver: 9, wolf: 9, honkai: 9, 'star rail': 9 }, ['honkai']],
    ['brass knuckles knife revolver (murica)', { brass: 9, knife: 9, murica: 9 }, ['brass', 'knife', 'murica']],
  ])(
    'of "%s", a catalogue with %j searches %j: if the series is missing, the name means something else',
    (query, counts, terms) => {
      const suggester = { isName: (name: string) => name === 'night city' };
      const weighed = weighQuery(catalogueWith(counts), query, { languages: all, suggester });
      expect(weighed.terms.map(({ term }) => term).sort()).toEqual(terms);
    },
  );

  test.each<[string, Record<string, number>, number]>([
    ['phantasy star zone', { star: 9, zone: 9 }, 2],
    ['star phantasy zone', { star: 9, zone: 9 }, 2],
    ['phantasy star zone', { star: 9, zone: 9, phantasy: 1 }, 1],
    // In titles, and beside short words, one word is enough.
    ['the star of phantasy zone', { star: 9, zone: 9 }, 1],
    ['phantasy d ace', { d: 9, ace: 9 }, 1],
    ['phone pe baat', { phone: 9, pe: 9 }, 1],
    ['star zone', { star: 9, zone: 9 }, 1],
    // Many people have the same first name.
    ['momoka margatroid', { momoka: 4 }, 2],
    ['momoka margatroid', { momoka: 900 }, 1],
    ['momoka margatroid', { momoka: 4, margatroid: 1 }, 2],
    ['momoka margatroid', { margatroid: 9 }, 1],
  ])('of "%s", with the catalogue %j, a GIF must match at least %i words', (query, counts, least) => {
    expect(weighQuery(catalogueWith(counts), query, { languages: all }).least).toBe(least);
  });

  test.each([
    ['kemomimi-chan', { chan: 9 }, false],
    ['takatsuki rin', { rin: 9 }, false],
    ['kaname madoka', { madoka: 9 }, true],
    ['nijisanji en', { en: 9 }, false],
    ['nijisanji en', { en: 9, nijisanji: 1 }, true],
    ['nijisanji en', { en: 9, nijisanjien: 1 }, true],
    ['nijisannnji', { nijisanji: 1 }, true],
    ['rin chan', { rin: 9, chan: 9 }, true],
    ['rin', { rin: 9 }, true],
  ])('whether "%s", with the catalogue %j, finds anything: %s', (query, counts, isFound) => {
    const { terms, isName } = weighQuery(catalogueWith(counts), query, { languages: all });
    expect(terms.length > 0).toBe(isFound);
    if (!isFound) expect(isName).toBe(true);
  });

  test.each([
    ['eureka seven', ['eureka seven'], 2],
    ['Eureka Seven!', ['eureka seven'], 2],
    ['eureka seven', ['eureka'], 1],
    ['eureka', ['eureka'], 1],
    ['spirited away', ['spirited away'], 2],
  ])('of "%s", if the tags are %j, a GIF must match at least %i words', (query, tags, least) => {
    const suggester = { isName: (name: string) => tags.includes(name) };
    const counts = { eureka: 9, seven: 900, spirited: 9, away: 900 };
    const read = weighQuery(catalogueWith(counts), query, { languages: all, suggester });
    expect(read).toMatchObject({ least, isName: least > 1 });
  });

  test.each([
    ['hearts', { heart: 100, hearts: 9 }, false],
    ['hearts', { heart: 100, hearts: 10 }, true],
    ['corazones', { heart: 100, hearts: 9 }, false],
    ['corazones', { heart: 100, hearts: 10 }, true],
    ['dancing', { dance: 100, dancing: 9 }, true],
    ['chess', { chess: 9 }, true],
  ])('of "%s", a catalogue with %j searches the exact form: %s', (query, counts, isSearched) => {
    const exact = Object.keys(counts).at(-1)!;
    expect(searched(query, counts).includes(exact)).toBe(isSearched);
  });

  test('plainer words do not help a name that the catalogue does not have', () => {
    const counts = { jump: 900, recoil: 0 };
    const found = (query: string) => weighQuery(catalogueWith(counts), query, { languages: all }).terms;
    expect(found('recoil').map(({ term }) => term)).toContain('jump');
    expect(found('lycoris recoil')).toEqual([]);
  });

  test('a name counts twice beside other words, so that GIFs of the name come before GIFs of the other words', () => {
    const coversOf = (query: string) => {
      const { wanted, words } = readTermRequests(query, all);
      return { words, covers: Object.fromEntries(wanted.map(({ term, covers }) => [term, covers])) };
    };
    expect(coversOf('lake wakatipu')).toMatchObject({ words: 3, covers: { lake: 0b001, wakatipu: 0b110 } });
    expect(coversOf('kannagi wakatipu')).toMatchObject({ words: 2, covers: { kannagi: 0b01, wakatipu: 0b10 } });
    // There is no room for a second bit.
    expect(coversOf('cat dog wakatipu')).toMatchObject({ words: 3, covers: { wakatipu: 0b100 } });
    expect(coversOf('lake house')).toMatchObject({ words: 2, covers: { lake: 0b01, house: 0b10 } });
  });

  test('a word that only looks English never counts as rarer than its meaning', () => {
    const [eye, mat] = ['eye', 'mat'].map(
      (term) =>
        weighQuery(catalogueWith({ eye: 200, mat: 1 }), 'mắt', { languages: all }).terms.find(
          (one) => one.term === term,
        )!,
    );
    expect(mat!.weight).toBeLessThan(eye!.weight);
  });

  test('plainer words are searched if the words do not fill a list, in queries of up to three content words', () => {
    expect(searched('furious', { furious: 199, angry: 5 })).toContain('angry');
    expect(searched('furious', { furious: 200, angry: 5 })).not.toContain('angry');
    expect(searched('furious man shouting', { furious: 5, angry: 5 })).toContain('angry');
    expect(searched('furious man shouting loudly', { furious: 5, angry: 5 })).not.toContain('angry');
  });

  test('a sentence is searched in plainer words with the same meaning, even if the words fill a list', () => {
    const counts = { cat: 5, afraid: 500, cucumber: 5, scare: 500, frighten: 500 };
    expect(searched('a cat afraid of cucumbers', counts)).toContain('scare');
    expect(searched('a cat afraid of cucumbers', counts)).not.toContain('frighten');
  });
});
