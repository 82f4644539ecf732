import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse } from '../analysis/analyse.ts';
import { normaliseQuery } from '../analysis/normalise.ts';
import { ENGLISH, LANGUAGES, languageOf } from './format.ts';
import { Languages } from './languages.ts';

/** The table that the service uses. tools/models creates this table. */
const languages = new Languages(fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url)));

function meanings(query: string) {
  return languages.meanings(normaliseQuery(query));
}

function inEnglish(query: string) {
  return languages.inEnglish(normaliseQuery(query));
}

/** Returns the best phrase of each part of a query. */
function best(query: string): string[] {
  return meanings(query).map(({ phrases }) => phrases[0]!.phrase);
}

describe('emoji', () => {
  test.each([
    ['👻', 'ghost'],
    ['😂', 'laughing'],
    ['❤', 'love'],
    ['💔', 'broken heart'],
    ['🐱', 'cat'],
    ['🦄', 'unicorn'],
    ['🍕', 'pizza'],
    ['🔥', 'fire'],
    ['☔', 'umbrella with rain drops'],
    ['🏳️‍🌈', 'rainbow flag'],
    ['😮‍💨', 'sigh'],
  ])('%s is %s', (emoji, phrase) => expect(best(emoji)).toEqual([phrase]));

  test('skin tones and variation selectors make no difference', () => {
    expect(meanings('👍🏽')).toEqual(meanings('👍'));
    expect(meanings('❤️')).toEqual(meanings('❤'));
    expect(meanings('🤦🏿‍♀️')).toEqual(meanings('🤦‍♀'));
    expect(inEnglish('👍🏽')).toEqual(inEnglish('👍'));
  });

  test.each([
    ['большие', 'puppy eyes'],
    ['insatisfacción', 'unamused'],
    ['cara sonrojada', 'embarrassed'],
    ['左指差し', 'pointing'],
    ['marca de beso', 'kiss'],
    ['голубое', 'heart'],
  ])('a word that only describes an emoji has the meaning of the emoji: %s is %s', (word, phrase) =>
    expect(best(word)).toEqual([phrase]),
  );

  test('the name of a thing means the thing, whatever its emoji expresses', () => {
    expect(best('einhorn')).toEqual(['unicorn']);
    expect(meanings('ブーケ')[0]!.phrases.map((each) => each.phrase)).toContain('bouquet');
  });

  test('earlier queries do not change how a query is read', () => {
    const fresh = () =>
      new Languages(fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url)));
    const queries = [
      'gatos felices',
      'amane kanata',
      'kanata',
      'hundar',
      'dancing hundar',
      'hundar och katter',
      'kanata',
    ];
    const alone = queries.map((query) => JSON.stringify(fresh().read(query)));
    const shared = fresh();
    expect(queries.map((query) => JSON.stringify(shared.read(query)))).toEqual(alone);
    expect(queries.toReversed().map((query) => JSON.stringify(shared.read(query)))).toEqual(alone.toReversed());
  });

  test('joined emoji are looked up whole, otherwise by their parts', () => {
    expect(meanings('❤️‍🔥')[0]!.phrases[1]!.phrase).toBe('burning love');
    const family = meanings('👨‍👩‍👧');
    expect(family).toHaveLength(1);
    expect(family[0]!.phrases.slice(0, 3).map(({ phrase }) => phrase)).toEqual(['man', 'woman', 'girl']);
    expect(meanings('🤦‍♀️')[0]!.phrases[0]!.phrase).toBe('facepalm');
  });

  test('flags are countries and their people', () => {
    expect(meanings('🇧🇷')[0]!.phrases.map(({ phrase }) => phrase)).toEqual(['brazil', 'brazilian', 'brasil', 'flag']);
    expect(best('🇺🇸 🇯🇵')).toEqual(['usa', 'japan']);
    expect(best('🏴󠁧󠁢󠁳󠁣󠁴󠁿')).toEqual(['scotland']);
    expect(meanings('🇦🇦')).toEqual([]);
  });

  test('keycaps are numbers', () => {
    expect(best('1️⃣')).toEqual(['one']);
    expect(best('#️⃣ 5⃣')).toEqual(['hashtag', 'five']);
  });

  test('each emoji is a separate part, and none occurs twice', () => {
    expect(best('🔥🔥💯🔥')).toEqual(['fire', 'perfect']);
    expect(meanings('🔥🔥')).toEqual(meanings('🔥'));
  });

  test('are also translated beside words, in any language', () => {
    expect(best('happy birthday 🎂')).toEqual(['birthday']);
    expect(best('gato🔥')).toEqual(['cat', 'fire']);
    expect(inEnglish('happy birthday 🎂')[0]).toBe('happy birthday birthday');
  });

  test('a single emoji is embedded with many keywords, and several emoji with few', () => {
    expect(inEnglish('👻')).toHaveLength(1);
    expect(inEnglish('👻')[0]!.split(' ').length).toBeGreaterThan(8);
    expect(inEnglish('scary 👻')).toEqual(['scary ghost', 'scary ghost boo spooky']);
  });
});

describe('words of an emoji', () => {
  const phrasesOf = (emoji: string) => meanings(emoji)[0]!.phrases.map(({ phrase }) => phrase);

  test('a single word of a phrase is not a meaning by itself', () => {
    expect(phrasesOf('💔')).toContain('heartbreak');
    expect(phrasesOf('💔')).not.toContain('broken');
  });

  test.each(['❗', '✅', '💋'])('%s does not have its kind of picture as a meaning', (emoji) => {
    for (const kind of ['mark', 'button', 'sign', 'symbol']) expect(phrasesOf(emoji)).not.toContain(kind);
  });
});

describe('slang of English queries', () => {
  test.each([
    ['hbd', ['happy birthday']],
    ['gm nostr', ['good morning']],
    ['tysm', ['thank you']],
    ['idk man', ['shrug']],
    ['gl hf', ['good luck']],
  ])('%s', (query, phrases) => expect(best(query)).toEqual(phrases));

  test('is embedded by its meaning', () => {
    expect(inEnglish('gm friends')[0]).toBe('good morning friends');
  });

  test('ordinary words are left alone', () => {
    for (const query of ['work', 'hey', 'sigh', 'slow clap', 'boring', 'happy', 'cool'])
      expect(meanings(query)).toEqual([]);
  });
});

describe('phrases of other languages', () => {
  test.each([
    ['un chat noir', ['black cat']],
    ['rote blume', ['red', 'flower']],
    ['perro feliz', ['dog', 'happy']],
    ['die katze', ['cat']],
    ['te quiero mucho', ['i love you']],
    ['feliz cumpleaños', ['happy birthday']],
    ['feliz cumpleanos', ['happy birthday']],
    ['buenos dias', ['good morning']],
    ['bom dia 🌞', ['good morning', 'sun']],
    ["j'ai faim", ['hungry']],
    ["l'amour", ['love']],
    ['guten morgen', ['good morning']],
    ['gatos bailando', ['cat', 'dance']],
    ['кошка танцует', ['cat', 'dance']],
    ['грустную кошку', ['sad', 'cat']],
    ['доброе утро', ['good morning']],
    ['猫がダンス', ['cat', 'dance']],
    ['お誕生日おめでとう', ['happy birthday']],
    ['生日快乐', ['happy birthday']],
    ['고양이가 춤', ['cat', 'dance']],
    ['생일 축하해', ['happy birthday']],
    ['قطة', ['cat']],
    ['والقطة', ['cat']],
    ['البقرة', ['cow']],
    ['والبقرة', ['cow']],
    ['الفم', ['mouth']],
    ['הכלב', ['dog']],
    ['הבוקר', ['morning']],
    ['והמקלחת', ['shower']],
    ['शुभ रात्रि', ['good night']],
    ['iyi geceler', ['good night']],
    ['köpekler', ['dog']],
    ['jajajajajajaja', ['laughing']],
    ['que fome', ['hungry']],
    ['Bär', ['bear']],
    ['კატა', ['cat']],
    ['собаку', ['dog']],
    ['häst', ['horse']],
    ['kůň', ['horse']],
    ['tắm', ['take a shower']],
    ['ôm', ['hug']],
    ['fogd be', ['shut up']],
    ['esperando o fim de semana', ['waiting', 'weekend']],
    ['dobro jutro', ['good morning']],
    ['добро јутро', ['good morning']],
    ['уморан сам', ['tired']],
    ['честит рожден ден', ['happy birthday']],
    ['selamat pagi', ['good morning']],
    ['magandang umaga', ['good morning']],
    ['صبح بخیر', ['good morning']],
    ['zaoshang hao', ['good morning']],
    ['shengri kuaile', ['birthday']],
    ['shubh prabhat', ['good morning']],
    ['dobroe utro', ['good morning']],
    ['kalimera', ['good morning']],
    ['neko', ['cat']],
  ])('%s', (query, phrases) => expect(best(query).slice(0, phrases.length)).toEqual(phrases));

  test('false friends are English on their own, but not in a foreign phrase', () => {
    for (const query of ['chat', 'gift', 'rot', 'die', 'pain', 'hat']) {
      expect(meanings(query)).toEqual([]);
      expect(inEnglish(query)).toEqual([query]);
    }
    expect(best('le chat')).toEqual(['cat']);
  });

  test('a word of several languages has the meanings of all that fit equally, and with less weight those of the next best', () => {
    const { meanings, others } = languages.read('sol');
    expect(meanings[0]!.phrases.map(({ phrase }) => phrase)).toEqual(expect.arrayContaining(['sun', 'left']));
    // There are more searches in Spanish and Turkish than in Czech, in which the word means salt.
    expect(others[0]!.phrases[0]).toEqual({ phrase: 'salt', weight: 0.75 });
  });

  test('a word with accents is not the word without them', () => {
    expect(languages.read('häst').language).toBe(LANGUAGES.indexOf('sv'));
    expect(best('hast')).not.toEqual(['horse']);
    expect([...languages.read('kůň').falseFriends]).toEqual(['kun']);
    expect(best('tám')).toEqual(['eight']);
  });

  test.each([
    ['halo', 'id', 'hello'],
    ['moi', 'fi', 'hello'],
    ['ringer', 'sv', 'call'],
    ['kind', 'de', 'child'],
    ['blut', 'nl', 'broke'],
    ['barn', 'no', 'child'],
    ['سلام', 'fa', 'hello'],
  ])('%s in %s means %s', (word, tag, phrase) => {
    const preferred = languageOf(tag)!;
    const { language, meanings } = languages.read(word, preferred);
    expect(language).toBe(preferred);
    expect(meanings[0]!.phrases.map((each) => each.phrase)).toContain(phrase);
  });

  test('the language of the user does not change a query that is not in this language', () => {
    for (const query of ['happy dance', 'kočka', '猫', '🔥', 'asdfgh', '']) {
      for (const tag of ['de', 'id', 'zh']) {
        const languageOfQuery = languages.read(query);
        if (languageOfQuery.language !== languageOf(tag))
          expect(languages.read(query, languageOf(tag))).toEqual(languageOfQuery);
      }
    }
  });

  test.each([
    ['pt-BR', 'pt'],
    ['nb', 'no'],
    ['fil-PH', 'tl'],
    ['zh_TW', 'zh'],
    ['sr-Latn-RS', 'hr'],
    ['bs', 'hr'],
    ['EN', 'en'],
  ])('%s is the language %s', (tag, code) => expect(languageOf(tag)).toBe(LANGUAGES.indexOf(code)));

  test('other tags are no language', () => {
    for (const tag of ['', 'x', 'xx', 'en-rare', 'emoji', 'zh-Latn-', 'ru-latn', '-', 'klingon'])
      expect([undefined, LANGUAGES.indexOf('zh'), LANGUAGES.indexOf('ru'), 0], tag).toContain(languageOf(tag));
    expect(languageOf('emoji')).toBeUndefined();
  });

  test('English words stay English, although they are words of less searched languages', () => {
    for (const query of ['man', 'wake', 'happy dance', 'pod', 'shit', 'mini', 'idk man']) {
      expect(languages.read(query).language, query).toBe(ENGLISH);
    }
  });

  test('a sentence is read in the language of its grammar, and its function words are known', () => {
    const { language, functionWords, meanings } = languages.read('en attendant le week end');
    expect(language).toBe(LANGUAGES.indexOf('fr'));
    expect([...functionWords]).toEqual(['le']);
    expect(meanings.map(({ phrases }) => phrases[0]!.phrase)).toEqual(['waiting', 'weekend']);
    expect(languages.read('waiting for the weekend').functionWords.size).toBe(0);
  });

  test('a query is embedded only if enough of its words are known', () => {
    // "kiki" is known only in a language without a column, and half of a name says nothing about the name.
    const unknown = ['ʘʘ', 'ça vrzq', 'ქრრქ', 'qwrtzp', 'asdfgh', '12345', '', 'kiki', 'flandre scarlet'];
    for (const query of unknown) expect(inEnglish(query), query).toEqual([]);
    for (const query of ['happy asdfgh dance', 'famished', 'yesss', 'season 3', 'asdf ghjkl qwrtzp a happy dance'])
      expect(inEnglish(query), query).not.toEqual([]);
  });
});

describe('any query', () => {
  const query = fc
    .oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc
        .array(
          fc.constantFrom('un', 'chat', 'die', '猫', '👍🏽', '👨‍👩‍👧', 'кошки', 'hbd', 'ไทย', '1️⃣', 'قطة', 'x', ' '),
        )
        .map((parts) => parts.join(' ')),
    )
    .map(normaliseQuery);

  test('has meanings of a fixed form', () => {
    fc.assert(
      fc.property(query, (text) => {
        const parts = languages.meanings(text);
        const terms = analyse(text);
        expect(new Set(parts.map((part) => part.text)).size).toBe(parts.length);
        for (const part of parts) {
          expect(part.phrases.length).toBeGreaterThan(0);
          expect(part.phrases.length).toBeLessThanOrEqual(part.kind === 'emoji' ? 8 : 4);
          for (const { phrase, weight } of part.phrases) {
            expect(phrase).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)*$/);
            expect(weight).toBeGreaterThan(0);
            expect(weight).toBeLessThanOrEqual(1);
          }
          for (const term of analyse(part.text)) if ([...term].length > 1) expect(terms).toContain(term);
        }
      }),
    );
  });

  test('has texts to embed if and only if it is English or partly known', () => {
    fc.assert(
      fc.property(query, (text) => {
        const texts = languages.inEnglish(text);
        expect(texts.length).toBeLessThanOrEqual(2);
        const { language, meanings } = languages.read(text);
        if (meanings.length > 0 && language < LANGUAGES.length) expect(texts.length).toBeGreaterThan(0);
        else if (meanings.length === 0) expect(texts.length === 0 || texts[0] === text).toBe(true);
        for (const each of texts) expect(each).not.toBe('');
      }),
    );
  });
});
