/*
 * Captions like those that people write under GIFs, and queries. The results were judged by hand before any model was
 * run. They distinguish a broken encoder or translation from a working one, but cannot compare two good encoders. Never
 * tune anything with them.
 */

/** A judged query, with its language and the numbers of the captions that it should find. */
export interface Judged {
  readonly language: string;
  readonly query: string;
  readonly relevant: readonly number[];
}

export const CAPTIONS = [
  'a cat falls off a sofa',
  'kitten sleeping in a cardboard box',
  'dog chasing its own tail',
  'golden retriever puppy runs through a field',
  'man laughs until he cries',
  'woman giggling behind her hand',
  'little girl crying in the rain',
  'a man sheds a single tear',
  'couple dancing at a wedding',
  'old man does a silly dance in the kitchen',
  'crowd dancing at a concert',
  'a boy blows out the candles on a birthday cake',
  'confetti falls on people celebrating new year',
  'champagne bottle pops open',
  'two friends hug at the airport',
  'bear hugging a man',
  'a couple kissing under an umbrella',
  'grandmother blows a kiss to the camera',
  'angry man flips a table',
  'toddler stomps her feet and screams',
  'boss slams his fist on the desk',
  'woman rolls her eyes',
  'student falls asleep in class',
  'exhausted man collapses on the bed',
  'office worker drinks a huge cup of coffee',
  'steam rises from a coffee mug in the morning',
  'sun rises over the mountains',
  'waves crashing on a beach at sunset',
  'heavy snow falling in a forest',
  'lightning strikes a tower',
  'rain running down a window',
  'a baby eats a lemon and makes a face',
  'man stuffing a whole pizza in his mouth',
  'chef tosses noodles in a wok',
  'ice cream melts on the pavement',
  'soccer player scores and slides on his knees',
  'goalkeeper misses the ball',
  'basketball player dunks over a defender',
  'skateboarder falls down the stairs',
  'runner crosses the finish line with arms raised',
  'astronaut floating inside a space station',
  'rocket launches into the night sky',
  'car drifts around a corner',
  'train passing through a snowy village',
  'airplane taking off',
  'man typing furiously on a keyboard',
  'computer shows an error and the man throws it out of the window',
  'robot waving hello',
  'child waves goodbye from a bus',
  'audience stands up and applauds',
  'man gives a thumbs up',
  'woman shakes her head no',
  'judge bangs a gavel',
  'a man shrugs his shoulders',
  'detective looks surprised and drops his cup',
  "woman's jaw drops in shock",
  'ghost appears behind a frightened boy',
  'zombie hand rises from a grave',
  'Santa Claus slides down a chimney',
  'man throws money in the air',
];

const JUDGED = `
en | funny cat | 1 2
en | puppy | 3 4
en | lol | 5 6
en | sad | 7 8
en | party | 11 12 13 14
en | happy birthday | 12
en | hug | 15 16
en | i love you | 17 18
en | so angry | 19 20 21
en | whatever | 22 54
en | so tired | 23 24
en | need coffee | 25 26
en | good morning | 26 27
en | winter | 29 44
en | storm | 30 31
en | yummy food | 33 34
en | goal | 36 37
en | epic fail | 37 39
en | victory | 36 40
en | outer space | 41 42
en | fast car | 43
en | travel | 44 45
en | coding | 46 47
en | bye | 49
en | well done | 50 51
en | wow | 55 56
en | scary | 57 58
en | merry christmas | 59
ja | 猫 | 1 2
ja | 悲しい | 7 8
ja | ダンス | 9 10 11
ja | 誕生日 | 12
es | perro | 3 4
es | cansado | 23 24
es | te quiero | 17 18
es | feliz año nuevo | 13
es | fútbol | 36 37
fr | chat drôle | 1 2
fr | en colère | 19 20 21
fr | café | 25 26
fr | neige | 29 44
fr | bravo | 50 51
de | Hund | 3 4
de | müde | 23 24
de | Umarmung | 15 16
de | Gewitter | 30
ru | танец | 9 10 11
ru | смех | 5 6
ru | любовь | 17 18
ru | пицца | 33
ar | قطة | 1 2
ar | حزين | 7 8
ar | عناق | 15 16
ar | رقص | 9 10 11
zh | 生气 | 19 20 21
zh | 咖啡 | 25 26
zh | 火箭 | 42
zh | 下雪 | 29 44
pt | gato | 1 2
pt | aniversário | 12
pt | beijo | 17 18
pt | trem | 44
ko | 춤 | 9 10 11
ko | 강아지 | 3 4
ko | 피자 | 33
`;

/** 28 queries in English, 37 in nine other languages. Captions are numbered from 1. */
export const QUERIES: readonly Judged[] = JUDGED.trim()
  .split('\n')
  .map((line) => {
    const [language, query, numbers] = line.split(' | ') as [string, string, string];
    return { language, query, relevant: numbers.split(' ').map(Number) };
  });
