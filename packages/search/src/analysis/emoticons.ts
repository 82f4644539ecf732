import { normalise } from './normalise.ts';

/**
 * Emoticons, keyed by the emoji with the same meaning. Emoticons with eyes, nose and mouth are composed of the parts
 * below.
 */
const EMOTICONS: Readonly<Record<string, string>> = {
  '😊': '^_^ ^-^ ^^ ^.^ ^__^ (^_^) (^^) ^o^ (^o^) n_n (◕‿◕) ◕‿◕ ʘ‿ʘ (｡◕‿◕｡) (◠‿◠)',
  '😂': "x'd :'d :'-d",
  '😍': '♥_♥ ♡_♡ *_* *-* *.* <3_<3',
  '😢': 't_t t.t tt_tt t__t ;_; ;__; ;-; ;w; q_q q.q (t_t) (;_;) (╥﹏╥) ╥﹏╥ (ಥ﹏ಥ) ಥ_ಥ',
  '😒': '-_- -.- -__- -___- (-_-) =_= ಠ_ಠ ಠ__ಠ (ಠ_ಠ) ¬_¬ (¬_¬) u_u',
  '😣': '>_< >.< >__< >.> (>_<) >_>',
  '😳': 'o_o o.o o__o 0_0 0.0 o_0 0_o (o_o) °_°',
  '😏': '(͡°͜ʖ͡°)',
  '🤷': '¯\\_(ツ)_/¯ ¯\\(ツ)/¯ ¯\\_ツ_/¯ ¯\\\\_(ツ)_/¯ \\_(ツ)_/ ¯\\_(シ)_/¯',
  '🙌': '\\o/ \\(^o^)/',
  '❤': '<3 <33 <333 <3333',
  '💔': '</3 <\\3 <//3',
  '😈': '>:) >:-) >:d }:) }:-) ]:)',
  '😠': '>:( >:-( >:[ >:@ ಠ益ಠ (╬ಠ益ಠ)',
  '😇': 'o:) o:-) 0:) 0:-)',
  '😺': ':3 :-3 =3 =^.^= =^_^=',
  '😉': ';) ;-) ;] ;-] ;d ;-d ^_~ (^_~)',
  '😜': ';p ;-p',
  '😎': '8-) b-)',
  '🐻': 'ʕ•ᴥ•ʔ',
  '👋': 'o/',
  '🙇': 'm(__)m',
  '😤': '(╯°□°)╯',
};
const EYES = [':', '='];
const NOSES = ['', '-', '^'];
const MOUTHS: Readonly<Record<string, string>> = {
  '🙂': ')]}>',
  '☹': '([{<',
  '😆': 'd',
  '😛': 'p',
  '😮': 'o0',
  '😘': '*',
  '😐': '|',
  '😕': '/\\',
  '🤐': 'x#',
};
const CRYING = ["'(", "'-(", '’(', '’-(', ',(', ',-(', "'["];

const EMOJI_OF: ReadonlyMap<string, string> = new Map(allEmoticons());
/** An emoticon stands between blanks. "http://" and "(1:3)" contain none. The longest emoticons come first. */
const EMOTICON = new RegExp(
  `(?<!\\S)(?:${[...EMOJI_OF.keys()]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|')})(?!\\S)`,
  'gu',
);
/** A text without any of these characters has no emoticon. This test is much faster than the search. */
const SIGN = new RegExp(
  `[${[...new Set([...EMOJI_OF.keys()].map((emoticon) => escaped(rarest(emoticon))))].join('')}]`,
  'u',
);

/**
 * Replaces the emoticons of a normalised query by emoji: `:)` by 🙂. Emoticons in documents stay as they are, because
 * most are at the end of a title that is about something else.
 */
export function withEmoji(text: string): string {
  return SIGN.test(text) ? text.replace(EMOTICON, (emoticon) => EMOJI_OF.get(emoticon)!) : text;
}

function* allEmoticons(): Generator<[string, string]> {
  for (const [emoji, emoticons] of Object.entries(EMOTICONS)) {
    for (const emoticon of emoticons.split(' ')) yield [normalise(emoticon), emoji];
  }
  for (const eyes of EYES) {
    for (const ending of CRYING) yield [eyes + ending, '😢'];
    for (const nose of NOSES) {
      for (const [emoji, mouths] of Object.entries(MOUTHS)) {
        for (const mouth of mouths) yield [eyes + nose + mouth, emoji];
      }
    }
  }
}

/** Returns a character of an emoticon that few texts have. */
function rarest(emoticon: string): string {
  return /[^\p{L}\p{N}-]/u.exec(emoticon)?.[0] ?? emoticon[0]!;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
