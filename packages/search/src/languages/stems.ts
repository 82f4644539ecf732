import { fold } from '../analysis/fold.ts';
import { LANGUAGES } from './format.ts';

/**
 * Describes the inflection of a language, as far as it matters for look-ups. All forms of a word should have the same
 * stem. It does little harm if other words have the same stem, because the term closest to the typed word is preferred.
 */
interface Inflection {
  endings: string;
  beginnings?: string;
  /** A prefix is removed only from words that match this pattern: German ge-t, ge-en. */
  only?: RegExp;
  /** Maximum number of endings of a word, one after the other. */
  rounds?: number;
  /** Minimum number of letters that remain. A shorter remainder is often another word. */
  shortest?: number;
  /** Replaces letters of a stem that depend on the ending. */
  respell?: (stem: string) => string;
}

const SHORTEST = 3;
const FIRST_ASCII = 'a'.charCodeAt(0);
const ASCII_LETTERS = 26;
const ASCII = /^[a-z]*$/;
const HAN = /^\p{sc=Han}/u;

/** Digits that people type for Arabic letters, and the Latin letters that others type for the same sounds. */
const ARABIC_DIGITS: Readonly<Record<string, string>> = {
  3: '',
  4: 'sh',
  5: 'kh',
  6: 't',
  7: 'h',
  8: 'gh',
  9: 's',
};

/** Replaces doubled letters by single ones: Dutch loop and lopen, Finnish kukka and kukan. */
const withoutDoubles = (stem: string) => (hasDoubles(stem) ? stem.replace(/(\p{L})\1/gu, '$1') : stem);
const dutch = (stem: string) => withoutDoubles(stem).replace(/v$/, 'f').replace(/z$/, 's');
const JAMO = (text: string) => text.normalize('NFD');

/**
 * The sources are standard grammar books and, for the choice of endings, the light stemmers of Savoy ("Light stemming
 * approaches for the French, Portuguese, German and Hungarian languages", 2006) and Larkey et al. ("Light stemming for
 * Arabic", 2007). Endings are written with accents here, and then folded like queries.
 */
const INFLECTIONS: Readonly<Record<string, Inflection>> = {
  es: {
    endings: `ándose iéndose ándome ándote iéndome ándolo iéndolo ándonos ando iendo yendo arme arte arse arlo arla arnos
      erme erte erse erlo erla irme irte irse irlo aría ería iría aron ieron aste iste aba abas aban ía ías ían amos
      emos imos adas ados idas idos ada ado ida ido aré eré iré ará erá irá arán erán irán ara iera ase iese ita ito
      itas itos cita cito citas citos ísimo ísima mente ción ciones ar er ir an en as es os a e i o s`,
  },
  pt: {
    endings: `ando endo indo ando-se ar-se armos ares aram eram iram aria eria iria ava avas avam asse esse isse inho inha
      inhos inhas zinho zinha mente adas ados idas idos ada ado ida ido amos emos imos aste este iste ção ções ar er ir
      ou eu iu ei ia iam am em as es os ais eis ois ões ães ão a e i o s m`,
  },
  fr: {
    endings: `issement issant issait issent issons issez ements ement aient erait erais eraient erent antes ants ante ant
      ées ée és é er ez ons ent ait ais ai era eront erai ira iront irai ir it is ie ies i us ue ues u euse euses eur
      eurs eux aux al ale if ive ité er ions iez es e a as s x`,
    beginnings: 'l d j m t s c n qu',
    only: /^(?:qu|[ldjmtscn])[aeiouyh]/,
  },
  it: {
    endings: `andosi endosi andolo andola andomi andoti andoci arsi ersi irsi armi arti arlo arla erlo ando endo ante ente
      anti enti avano evano ivano arono erono irono avo evo ivo ava eva iva asse esse isse ato ata ati ate uto uta uti
      ute ito ita iti ite are ere ire iamo iate ano ono ino ina ini ine etto etta etti ette mente zione zioni ia ie io
      hi he ò à a e i o`,
    beginnings: 'dell all nell sull l d un',
    only: /^(?:(?:de|a|ne|su)ll|l|d|un)[aeiouh]/,
  },
  de: {
    endings: 'endes enden ender endem ende end test tet ten te t st en em er es e n s ung ungen lein chen ern erin et',
    beginnings: 'ge',
    only: /^ge.{3,}(?:t|en|te|tes|ter|ten|ene|enes|ener)$/,
  },
  nl: {
    endings: 'ende end den de ten te t en e s je jes tje tjes etje pje st er ers ing ingen dt d',
    beginnings: 'ge',
    only: /^ge.{3,}(?:t|d|en|de|te)$/,
    respell: dutch,
  },
  sv: {
    endings: 'andes ande ende arna erna orna aren ades ade ad at ar er or en et na n t a e s r de te dde it ing ningen',
  },
  da: { endings: 'ende erede erne eren ede et te er en es e s r ne t ning', respell: withoutDoubles },
  no: { endings: 'ende ede ene ane et te er en a e s r t dde ing', respell: withoutDoubles },
  fi: {
    endings: `ssa ssä sta stä lla llä lta ltä lle ksi na nä tta ttä in n t a ä ta tä i ja jä jen den tten si ni nsa mme nne vat
      vät va vä nyt nut neet tu ty ttu isi o ko kin u y e aa ää ee ii uu minen misen ton`,
    rounds: 3,
    respell: withoutDoubles,
  },
  hu: {
    endings: `ban ben ba be ból ből ról ről tól től nak nek val vel hoz hez höz ért ként ig ot et at öt ok ek ak ök k t n on en
      ön nál nél ja je i om em am od ed ad unk ünk ik sz tam tem tál tél ott ett ött va ve ni ó ő ás és a e m d`,
    rounds: 3,
    respell: withoutDoubles,
  },
  tr: {
    endings: `lar ler ları leri ım im um üm ın in un ün ı i u ü yı yi yu yü sı si su sü e a ye ya de da te ta den dan ten tan nın nin
      nun nün la le yla yle lı li lu lü sız siz suz süz mak mek ıyor iyor uyor üyor yor ıyorum iyorum uyorum üyorum yorum
      yorsun yorlar acak ecek dı di du dü tı ti tu tü dım dim dum düm tım tim mış miş muş müş an en yan yen arak erek ıp ip
      up üp lık lik luk lük cı ci cu cü sın sin sun sün ma me ması mesi sa se r ar er ır ir ur ür ken`,
    rounds: 4,
  },
  id: {
    endings: 'kan an i nya lah ku mu',
    beginnings: 'meng meny mem men me ber di ter ke peng pen pem pe se',
  },
  pl: {
    endings: `ający ająca ające ącym ący ąca ące ając ować ywać iwać owanie ać eć ić yć ąć nąć ienie anie enie cie owie ami ach om ów
      owi ego emu ych ich ymi imi ej em ym im ą ę a e i o u y ie ia iem am asz esz isz ysz emy imy amy uje uję ał ała ało
      ali ił iła iło ili eł eła yła ył ł ła ło li iony ony any ana ane ona one je ję ja`,
    // The e of the last syllable is lost before endings: ogórek, ogórka.
    respell: (stem) => stem.replace(/ek$/, 'k'),
  },
  cs: {
    endings: `ající ící oucí ujícímu uji uješ uje ujeme ovat ování ání ení uju ujou at it et out nout al ala alo ali il ila ili el ela ých ého
      ému ými ími ami ách ech ům ou ý á é í y e ě a i u o em ám ím íš eš áš íme eme áme en ena any ana ka ek ku ky`,
  },
  ru: {
    endings: `ующий ющий ющая ющее ющие ащий ящий ащая ящая ящее ущий ущая вший вшая ешься ишься ется ится утся ются атся ятся ился
      илась ились лся лась лось лись ться тся ать ять еть ить уть ыть оть ти ает яет ует ет ит ут ют ат ят ешь ишь ем им
      ете ите ал ала ало али ял яла яли ил ила ило или ел ела ели ул ула ули нул нула нуть аю яю ею ую у ю ый ий ой ая яя
      ое ее ые ие ого его ому ему ым ых их ыми ими ую юю ою ею ом ам ям ами ями ах ях ов ев ей а я о е и ы ь й ость ости
      ание ания ение ения ен`,
  },
  uk: {
    endings: `ючий ючи аючи ється иться яться уться ються лася лося лись вся ти тися ати яти іти ити ути увати ає яє ує ить їть ать ять
      ють уть аю яю ую ав ала ало али ив ила или ів іла іли ий ій а я е є і ї о у ю и ь ого ому им их ими ою ею ої ої ам ям
      ами ями ах ях ів ей ння ення ання ться`,
  },
  el: {
    endings: `οντας ώντας ομαι εσαι εται ονται όμουν ούμε ουμε ετε ουν άνε αμε ατε αγε ησα ησε ησω εις ει άει άω ω α ε ο ος ης ας ες
      ου ων οι ους η ι υ ια ιο άκι άκια ούσα μένος μένη μένο μένα εί ώ ά ή ός`,
  },
  ro: {
    endings: `ându ând ind indu ului ilor elor urile iile ează esc ește ăsc eam ea eau ui uie it ită iți ite at ată ați ate ul le lui
      uri uri ă a e i u ii ie iei ar er ir an ez ezi ere are ire iri`,
  },
  hi: {
    endings: `ियों ियाँ ियां ाओं ओं ों ें ीं ाँ ां ते ती ता ना ने नी कर के ए ई ा े ी ो ि ु ू या यी ये ेगा ेगी ूँगा
      iyan iyon on en ne na ni ta ti te ein ke kar`,
    shortest: 2,
    rounds: 2,
  },
  ar: {
    endings: 'تين تان ون ين ان ات ها هم نا كم ني ية وا اء ة ه ي ت ك ا ى',
    beginnings: 'وال فال بال كال ال لل بت بي بن وي و ف ب ل ك س ي ت ن ا',
    shortest: 2,
  },
  fa: { endings: 'های ها ان ات ی م د ند ید یم ت ش ه دن تن ن گی یدن', beginnings: 'نمی می ن ب', shortest: 2 },
  he: { endings: 'ים ות ית ת ה י נו ן', beginnings: 'וה שה ה ו ב ל מ ש כ י ת נ א', shortest: 2 },
  ko: {
    endings: `다 ᆫ다 는다 는 은 ᆫ ᆯ 을 고 고있는 고있다 어 아 여 ᆻ 았 었 였 요 해 해요 했어 네 네요 지 자 기 음 ᆷ 게 면 니 냐 라 세요
      습니다 ᆸ니다 줘 주세요 하다 하는 하기 한 할 하고 합니다 하자 해줘 중 이 가 를 의 에 에서 로 으로 도 만 들 와 과 랑 이다
      야 인 네 ᅵ ᅧ ᅡ ᅥ ᅳ ᅮ ᅯ ᅪ ᅩ ᅢ`,
    rounds: 3,
    shortest: 2,
  },
  hr: {
    endings: `ajući ujući anje enje ati iti eti uti nuti avati ivati ao ala alo ali io ila ilo ili am aš a amo ate aju im iš i
      imo ite e em eš emo ete u ju ujem uje uju jem ješ je jemo jete an ana ano ani en ena eno eni og om oj ih ima ama ovi
      ove ova evi o ac ca ak ka ki ke`,
  },
  sr: {
    endings: `ајући ујући ање ење ати ити ети ути нути авати ивати ао ала ало али ио ила ило или ам аш а амо ате ају им иш и
      имо ите е ем еш емо ете у ју ујем ује ују јем јеш је ан ана ано ани ен ена ено ени ог ом ој их има ама ови ове ова
      о ац ца ак ка ки ке`,
  },
  bg: {
    endings: `ът ят та то те а я ове ите ата ето ува увам уваш аме ате ат ям яш ях ял яла яло яли ал ала ало али ил ила или ах
      ане ене ия ии ен на но ни ки чета че и е о`,
  },
  sk: {
    endings: `ajúci ujúci iaci ujem uješ uje ujeme ujú ovať ovanie anie enie iť ieť úť núť ať al ala alo ali il ila ili el ela ých
      ého ému ými ími ami ách iach och ov om ú ý á é í y e a i u o em ám ím íš eš áš íme eme áme en ena aný any ana ek ka ku ky`,
  },
  sl: {
    endings: `ajoč ati iti eti uti am aš a amo ate ajo im iš i imo ijo em eš e emo ejo al ala alo ali il ila ilo ili el ela an ana
      en ena ega emu ih o u ov ev om oma ami ah ek ka ke ki anje enje`,
  },
  az: {
    endings: `lar lər ları ləri ım im um üm m ın in un ün ı i u ü yı yi sı si a ə ya yə da də dan dən nın nin nun nün la lə yla
      lı li lu lü sız siz suz süz maq mək ır ir ur ür iram irəm uram ürəm acaq əcək dı di du dü mış miş muş müş an ən
      araq ərək ıb ib ub üb lıq lik luq lük çı çi ma mə r`,
    rounds: 4,
  },
  uz: {
    endings: `lar lari larim im ing i si imiz ni ning ga ka qa da dan moq ish yapman yapti yapsan aman adi man ti di dim gan
      kan qan ib lik chi li siz cha a y ma`,
    rounds: 3,
  },
  sq: {
    endings: `ar ur uar uara ues esh et ave ët it in i a ja e ën es ve ojnë ojmë oj on om ova ohem ohet hem het uan ën ë ur`,
  },
  et: {
    endings: `ma da ta b d n me te vad nud tud sid is sin ime ge ke ks sse st ga le lt l s ni na ta de te id i u e a o ne se
      sed seks mine mise ja jad v vat tav tava ev`,
    rounds: 2,
    respell: withoutDoubles,
  },
  gl: {
    endings: `ando endo indo arse erse irse ares aron eron iron aría ería iría aba abas aban ía ías ían iño iña iños iñas
      mente adas ados idas idos ada ado ida ido amos emos imos aste iste ción cións ar er ir ou eu iu ei ia am em an en as
      es os ais eis ns a e i o s`,
  },
  ca: {
    endings: `ant int ent ar er re ir at ada ats ades it ida its ides ut uda ava aves aven ia ies ien o es e en em eu a as i is s
      ment ció cions et eta ets etes`,
  },
  ms: { endings: 'kan an i nya lah ku mu', beginnings: 'meng meny mem men me ber di ter ke peng pen pem pe se' },
  tl: {
    endings: 'in hin an han ng g',
    beginnings: 'nagpa magpa nakaka nag mag pag naka maka na ma ka pinag i',
    // The infix "um" or "in" comes after the first letter, and a present form repeats the first syllable: sumisigaw.
    respell: (stem) => stem.replace(/^([^aeiou])(?:um|in)(?=[aeiou])/, '$1').replace(/^([^aeiou]?[aeiou])(?=\1)/, ''),
  },
  sw: {
    endings: 'aga a e i wa sha ni',
    beginnings: 'ninaku ninaku nina una ana tuna mna wana inaku nime ume ame tume mme wame ku',
  },
  ur: { endings: 'یوں یاں وں یں ے ی ا نا نے نی تا تی تے کر ؤ ئے گا گی گے', shortest: 2 },
  bn: {
    endings: 'টা টি রা দের গুলো গুলি কে র ের তে ে য় এর ছি ছে ছেন ছিল ছো চ্ছি চ্ছে লাম লে ল বে বো বেন া ানো ি ো',
    shortest: 2,
  },
  ta: {
    endings: 'கள் களை கிறேன் கிறான் கிறாள் கிறது கிறார் கிறார்கள் தேன் ந்தேன் ல் ை க்கு ஆல் இல் இன் ு ா வேன் ும் த்து ந்து',
    shortest: 2,
  },
  // People spell Arabic in Latin letters in different ways, but mostly with the same consonants.
  'ar-Latn': {
    endings: '',
    respell: (stem) =>
      stem
        .replace(/[aeiouy2]|(?<=.)h$/g, '')
        .replace(/[3457896]/g, (digit) => ARABIC_DIGITS[digit]!)
        .replace(/(.)\1/g, '$1'),
  },
  ja: {
    endings: `いている いてる っている ってる んでいる んでる している してる ている てる いた いて いで った って んだ んで した して た て だ で
      ます ました ません きます ります みます います します らない かない まない わない ない たい れる られる せる させる よう ろ
      る く む う す ぐ ぶ つ ぬ い え け せ め れ き り み ち し する すぎる さ そう 中`,
    shortest: 1,
  },
};

/**
 * A tree of endings, read backwards from the last letter. `before` has the possible preceding letters, and `beforeAscii`
 * those from a to z by their number, because a word in Latin letters is looked up in many languages.
 */
interface Endings {
  isEnding: boolean;
  before: Map<number, Endings>;
  beforeAscii: (Endings | undefined)[];
}

interface Rules {
  endings: Endings;
  beginnings: readonly string[];
  only: RegExp | undefined;
  rounds: number;
  shortest: number;
  respell: (stem: string) => string;
}

/**
 * The rules of each language; null if it does not inflect. They are made on first use, because making all of them takes
 * 7 ms, and most commands need none.
 */
const RULES: (Rules | null | undefined)[] = LANGUAGES.map(() => undefined);

function rulesIn(language: number): Rules | null {
  const known = RULES[language];
  if (known !== undefined) return known;
  const inflection = INFLECTIONS[LANGUAGES[language]!];
  const rules = inflection === undefined ? null : rulesOf(inflection);
  RULES[language] = rules;
  return rules;
}

const LATIN = 'es pt fr de it tr hi id nl pl sv cs ro hu da fi no tl ms sw hr sk ca az uz sq et gl sl';
const SCRIPTS: readonly [letter: RegExp, languages: readonly number[]][] = [
  // Arabic in Latin letters is recognised by its digits. If digits were not required, too many words would look like
  // Arabic.
  [/^[a-z]*[2-9]/, numbersOf(`${LATIN} ar-Latn`)],
  [/^[a-z]/, numbersOf(LATIN)],
  [/^\p{sc=Cyrillic}/u, numbersOf('ru uk sr bg')],
  [/^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u, numbersOf('ja')],
  [/^\p{sc=Hang}/u, numbersOf('ko')],
  [/^\p{sc=Arab}/u, numbersOf('ar fa ur')],
  [/^\p{sc=Beng}/u, numbersOf('bn')],
  [/^\p{sc=Taml}/u, numbersOf('ta')],
  [/^\p{sc=Deva}/u, numbersOf('hi')],
  [/^\p{sc=Grek}/u, numbersOf('el')],
  [/^\p{sc=Hebr}/u, numbersOf('he')],
];

function numbersOf(codes: string): number[] {
  return codes.split(' ').map((code) => LANGUAGES.indexOf(code));
}

/** Returns the numbers of the languages that use the script of a folded text and whose words have stems. */
export function inflectedLanguages(text: string): readonly number[] {
  return SCRIPTS.find(([letter]) => letter.test(text))?.[1] ?? [];
}

/**
 * Returns the stem of a folded word in the language with this number: the letters that the forms of the word have in
 * common, which are usually not a word. If the language does not inflect, or nothing can be removed, the stem is the
 * word itself.
 */
export function stemIn(language: number, word: string): string {
  const rules = rulesIn(language);
  if (rules === null) return word;
  const decomposed = ASCII.test(word) ? word : JAMO(word);
  let stem = withoutBeginning(decomposed, rules);
  for (let round = 0; round < rules.rounds; round++) stem = withoutEnding(stem, rules);
  stem = rules.respell(stem);
  return stem.length > 1 || HAN.test(stem) ? stem : word;
}

function withoutBeginning(word: string, { beginnings, only, shortest }: Rules): string {
  if (beginnings.length === 0 || (only !== undefined && !only.test(word))) return word;
  const beginning = beginnings.find((each) => word.startsWith(each) && word.length - each.length > shortest);
  return beginning === undefined ? word : word.slice(beginning.length);
}

/**
 * Returns what remains of a folded word after each removal of one more prefix, such as the Arabic *and* and *the*. If
 * the prefix is a single letter, more letters must remain. Words in Latin letters keep their prefixes, because misspelt
 * English words begin in the same way.
 */
export function withoutBeginnings(language: number, word: string): string[] {
  const { beginnings = [], shortest = 0 } = (ASCII.test(word) ? null : rulesIn(language)) ?? {};
  const rests: string[] = [];
  for (let rest = word; ; rests.push(rest)) {
    const fits = ({ length }: string) => rest.length - length > shortest + (length === 1 ? 1 : -1);
    const beginning = beginnings.find((each) => rest.startsWith(each) && fits(each));
    if (beginning === undefined) return rests;
    rest = rest.slice(beginning.length);
  }
}

/** Removes a word's longest ending. */
function withoutEnding(word: string, { endings, shortest }: Rules): string {
  let end = word.length;
  let node = nodeBefore(endings, word.charCodeAt(end - 1));
  for (let at = end - 1; node !== undefined && at >= shortest; at--) {
    if (node.isEnding) end = at;
    node = nodeBefore(node, word.charCodeAt(at - 1));
  }
  return end === word.length ? word : word.slice(0, end);
}

function nodeBefore({ before, beforeAscii }: Endings, letter: number): Endings | undefined {
  const ascii = letter - FIRST_ASCII;
  return ascii >= 0 && ascii < ASCII_LETTERS ? beforeAscii[ascii] : before.get(letter);
}

function hasDoubles(text: string): boolean {
  for (let i = 1; i < text.length; i++) if (text.charCodeAt(i) === text.charCodeAt(i - 1)) return true;
  return false;
}

function rulesOf({ endings, beginnings = '', only, rounds = 1, shortest = SHORTEST, respell }: Inflection): Rules {
  // All endings are folded at once, because folding thousands of short texts takes five times as long.
  const folded = (text: string) => JAMO(fold(text)).split(/\s+/).filter(Boolean);
  return {
    endings: treeOf(folded(endings)),
    beginnings: folded(beginnings).toSorted((a, b) => b.length - a.length),
    only,
    rounds,
    shortest,
    respell: respell ?? ((stem) => stem),
  };
}

function emptyEndings(): Endings {
  return { isEnding: false, before: new Map(), beforeAscii: new Array(ASCII_LETTERS).fill(undefined) };
}

function treeOf(endings: readonly string[]): Endings {
  const root = emptyEndings();
  for (const ending of endings) {
    let node = root;
    for (let at = ending.length - 1; at >= 0; at--) {
      const letter = ending.charCodeAt(at);
      const next = nodeBefore(node, letter) ?? emptyEndings();
      node.before.set(letter, next);
      if (letter >= FIRST_ASCII && letter < FIRST_ASCII + ASCII_LETTERS) node.beforeAscii[letter - FIRST_ASCII] = next;
      node = next;
    }
    node.isEnding = true;
  }
  return root;
}
