import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { normaliseQuery } from '../analysis/normalise.ts';
import type { Dictionaries } from './dictionaries.ts';
import { englishWorth } from './english.ts';
import { Languages } from './languages.ts';
import { INFLECTED_WORTH } from './readings.ts';

/** The table that the service uses. tools/models creates this table. */
const languages = new Languages(fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url)));

const SENTENCES = `
A little girl in a pink dress is climbing a set of stairs
A man is riding a horse on the beach at sunset
Two dogs chase each other across the snow
The cat knocks a glass off the table and runs away
People are waiting in line at the bus stop
An old woman feeds pigeons in the park
A tent is being set up on the ice.
He jumps over the fence and falls flat on his face
Three men in suits are laughing at a bar
A kid opens a present and screams with joy
My boss when I come in late on a Monday
When you realise that tomorrow is a holiday
That moment when the pizza finally arrives
I have no idea what I am doing
Me trying to act normal after three cups of coffee
She rolls her eyes and walks out of the room
The referee shows him a red card
A surfer disappears under a huge wave
Somebody please get me out of here
How I feel after a long day at the office
The crowd goes wild when the band comes on stage
A toddler tastes a lemon for the first time
Nobody expected that to happen
A raccoon steals food from a garbage can
Are you kidding me right now?
The chef flips a pancake and misses the pan
Don't tell me what to do
It's not what it looks like
A skateboarder grinds down a rail and wipes out
The dance floor is empty except for one guy
Guess who's back in town
You have got to be joking
A hamster stuffs its cheeks with seeds
The cheerleaders throw confetti in the air
He spills beer on his brand new shirt
A robot vacuum chases a terrified kitten
This is exactly why we can't have nice things
We drove through the desert in an old van
The astronaut floats upside down in the space station
Two people clink glasses and toast the new year
A pug in a hot dog costume waddles down the street
What a time to be alive
The son of the king has a war to win
`
  .trim()
  .split('\n');

const QUERIES = `
happy dance|slow clap|mind blown|eye roll|high five|mic drop|thumbs up|good morning|good night|happy birthday|thank you
so tired|coding|monday mood|friday feeling|weekend vibes|cat fail|dog running|baby yoda|spongebob|the office|star wars
game of thrones|michael scott|facepalm|shrug|deal with it|popcorn eating|crying laughing|sad cat|angry bird|angry panda
excited jumping|nervous sweating|awkward silence|side eye|hair flip|kiss me|i love you|miss you|get well soon|good luck
congratulations|merry christmas|happy new year|halloween pumpkin|rain dance|snow day|pizza party|coffee time|beer cheers
dancing banana|grumpy cat|nyan cat|rickroll|this is fine|surprised pikachu|confused math lady|blinking guy|hell no|oh snap
bye felicia|come on|hold my beer|wait what|are you serious|not today|yes please|no way|die hard|la la land|hot rod
gift wrap|chat room|rot in hell|bad hair day|fat cat|arm wrestling|war eagle|pie in the face|taco tuesday
super mario|ninja turtles|vampire bite|zombie walk|yoga fail|twerking|skibidi toilet|goal celebration|sloth|capybara|corgi butt
plan b|vitamin c|man bun|hot dog|men in black|iron man|sin city|come here|hat trick|fin whale|ten out of ten|beyoncé dance
`
  .trim()
  .split(/[|\n]/);

function isLeftAlone(query: string): boolean {
  const text = normaliseQuery(query);
  const texts = languages.inEnglish(text);
  // A query without a known word, such as a name, is not embedded in English.
  return languages.meanings(text).length === 0 && texts.every((each) => each === text);
}

test('English sentences are never translated', () => {
  expect(SENTENCES.length).toBeGreaterThan(40);
  expect(SENTENCES.filter((sentence) => !isLeftAlone(sentence))).toEqual([]);
});

test('English queries are never translated', () => {
  expect(QUERIES.length).toBeGreaterThan(60);
  expect(QUERIES.filter((query) => !isLeftAlone(query))).toEqual([]);
});

const data = process.env['ZOETROPE_TEST_DATA'];

test.skipIf(data === undefined)('English captions of photos are never translated', () => {
  const rows = fs
    .readFileSync(path.join(data!, 'eval', 'photo_crosslingual.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const captions = rows
    .slice(0, 200)
    .flatMap((row) => row.split('\t').slice(2, 4))
    .filter((caption) => caption !== '');
  expect(captions.length).toBeGreaterThan(200);
  expect(captions.filter((caption) => !isLeftAlone(caption))).toEqual([]);
});

test.each([
  ['hot', 'hot', 1],
  ['2026', 'hot', 1],
  ['hotter', 'hot', INFLECTED_WORTH],
  ['hotest', 'hot', INFLECTED_WORTH],
  ['waving', 'wave', INFLECTED_WORTH],
  ['happily', 'happy', INFLECTED_WORTH],
  ['falling', 'fall', INFLECTED_WORTH],
  ['boxes', 'box', INFLECTED_WORTH],
  ['rotes', 'rot', 0],
  ['yes', 'y', 0],
  ['猫', '猫', 0],
])('%s counts as English if %s is the only known word: %d', (word, known, worth) => {
  const dictionaries = {
    worths: { get: (_: string, find: () => number) => find() },
    findEnglish: (form: string) => (form === known ? {} : undefined),
    find: () => [],
  } as unknown as Dictionaries;
  expect(englishWorth(word, dictionaries)).toBe(worth);
});
