import fs from 'node:fs';
import { expect, test } from 'vitest';
import { normaliseQuery } from '../analysis/normalise.ts';
import { Languages } from './languages.ts';

/** The table that the service uses. tools/models creates this table. */
const languages = new Languages(fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url)));

/**
 * The things that people look for most in GIF searches. Each line has one or more accepted English words, then the word
 * in 12 languages.
 */
const WORDS = `
happy,joy|es feliz|fr heureux|de glücklich|pt feliz|it felice|ru счастливый|tr mutlu|ar سعيد|hi खुश|ja 嬉しい|zh 开心|ko 행복
sad,crying|es triste|fr tristesse|de traurig|pt triste|it tristezza|ru грустный|tr üzgün|ar حزين|hi दुखी|ja 悲しい|zh 难过|ko 슬픔
love,heart|es amor|fr amour|de liebe|pt amor|it amore|ru любовь|tr aşk|ar حب|hi प्यार|ja 愛|zh 爱|ko 사랑
cat|es gatos|fr chaton|de katze|pt gata|it gatto|ru кошка|tr kedi|ar قطة|hi बिल्ली|ja ねこ|zh 猫|ko 고양이
dog|es perro|fr chien|de hund|pt cachorro|it cagnolino|ru собака|tr köpek|ar كلب|hi कुत्ता|ja 犬|zh 狗|ko 강아지
laugh,laughing,lol|es risa|fr rire|de lachen|pt risada|it ridere|ru смех|tr gülmek|ar ضحك|hi हँसी|ja 笑|zh 大笑|ko ㅋㅋㅋ
crying,cry|es llorando|fr pleurer|de weinen|pt chorando|it piangere|ru плакать|tr ağlamak|ar بكاء|hi रोना|ja 泣く|zh 哭|ko 울음
dance,dancing|es bailar|fr danser|de tanzen|pt dançar|it ballare|ru танец|tr dans|ar رقص|hi नाच|ja ダンス|zh 跳舞|ko 춤
hello,hi,wave,waving|es hola|fr bonjour|de hallo|pt olá|it ciao|ru привет|tr merhaba|ar مرحبا|hi नमस्ते|ja こんにちは|zh 你好|ko 안녕
bye,goodbye|es adiós|fr au revoir|de tschüss|pt tchau|it arrivederci|ru пока|tr hoşça kal|ar وداعا|hi अलविदा|ja さようなら|zh 再见|ko 잘가
thank you,thanks|es gracias|fr merci|de danke|pt obrigado|it grazie|ru спасибо|tr teşekkürler|ar شكرا|hi धन्यवाद|ja ありがとう|zh 谢谢|ko 감사합니다
sorry|es lo siento|fr désolé|de entschuldigung|pt desculpa|it scusa|ru извини|tr özür dilerim|ar آسف|hi माफ़ करना|ja ごめん|zh 对不起|ko 미안
yes,nod|es sí|fr oui|de ja|pt sim|it sì|ru да|tr evet|ar نعم|hi हाँ|ja はい|zh 是的|ko 네
no,nope|es para nada|fr non|de nein|pt não|it certo che no|ru нет|tr hayır|ar لا|hi नहीं|ja いいえ|zh 不要|ko 아니요
sleep,sleeping|es dormir|fr dormir|de schlafen|pt dormir|it dormire|ru спать|tr uyku|ar نوم|hi सोना|ja 眠い|zh 睡觉|ko 잠
tired|es cansado|fr fatigué|de müde|pt cansada|it stanco|ru устал|tr yorgun|ar متعب|hi थका हुआ|ja 疲れた|zh 累|ko 피곤해
hungry,food|es hambre|fr faim|de hunger|pt fome|it fame|ru голодный|tr aç|ar جائع|hi भूख|ja お腹すいた|zh 饿|ko 배고파
angry,mad|es enojado|fr en colère|de wütend|pt raiva|it arrabbiato|ru злой|tr kızgın|ar غاضب|hi गुस्सा|ja 怒り|zh 生气|ko 화남
kiss|es beso|fr bisou|de kuss|pt beijo|it bacio|ru поцелуй|tr öpücük|ar قبلة|hi चुंबन|ja キス|zh 亲吻|ko 키스
hug|es abrazo|fr câlin|de umarmung|pt abraço|it abbraccio|ru обнимашки|tr sarılmak|ar عناق|hi गले लगाना|ja ハグ|zh 拥抱|ko 포옹
party,celebrate,celebration|es fiesta|fr fête|de feiern|pt festa|it festa|ru вечеринка|tr parti|ar حفلة|hi जश्न|ja パーティー|zh 派对|ko 파티
birthday|es cumpleaños|fr anniversaire|de geburtstag|pt aniversário|it compleanno|ru день рождения|tr doğum günü|ar عيد ميلاد|hi जन्मदिन|ja 誕生日|zh 生日|ko 생일
good morning|es buenos días|fr bonjour à tous|de guten morgen|pt bom dia|it buongiorno|ru доброе утро|tr günaydın|ar صباح الخير|hi सुप्रभात|ja おはよう|zh 早上好|ko 좋은 아침
good night|es buenas noches|fr bonne nuit|de gute nacht|pt boa noite|it buonanotte|ru спокойной ночи|tr iyi geceler|ar تصبح على خير|hi शुभ रात्रि|ja おやすみ|zh 晚安|ko 잘자
beer|es cerveza|fr bière|de bier|pt cerveja|it birra|ru пиво|tr bira|ar بيرة|hi बीयर|ja ビール|zh 啤酒|ko 맥주
coffee|es café|fr café|de kaffee|pt café|it caffè|ru кофе|tr kahve|ar قهوة|hi कॉफ़ी|ja コーヒー|zh 咖啡|ko 커피
fire|es fuego|fr feu|de feuer|pt fogo|it fuoco|ru огонь|tr ateş|ar نار|hi आग|ja 炎|zh 火|ko 불
sun,sunny|es sol|fr soleil|de sonne|pt sol|it il sole|ru солнце|tr güneş|ar شمس|hi सूरज|ja 太陽|zh 太阳|ko 태양
rain,umbrella|es lluvia|fr pluie|de regen|pt chuva|it pioggia|ru дождь|tr yağmur|ar مطر|hi बारिश|ja 雨|zh 雨|ko 비
snow,snowing,snowman|es nieve|fr neige|de schnee|pt neve|it neve|ru снег|tr kar|ar ثلج|hi बर्फ़|ja 雪|zh 下雪|ko 눈사람
money,cash|es dinero|fr argent|de geld|pt dinheiro|it soldi|ru деньги|tr para|ar مال|hi पैसा|ja お金|zh 钱|ko 돈
music,musical|es música|fr musique|de musik|pt música|it musica|ru музыка|tr müzik|ar موسيقى|hi संगीत|ja 音楽|zh 音乐|ko 음악
car,automobile|es coche|fr voiture|de auto fahren|pt carro|it macchina|ru машина|tr araba|ar سيارة|hi कार|ja 車|zh 汽车|ko 자동차
fish|es pez|fr poisson|de fisch|pt peixe|it pesce|ru рыба|tr balık|ar سمكة|hi मछली|ja 魚|zh 鱼|ko 물고기
flower,blossom|es flor|fr fleur|de blume|pt flor|it fiore|ru цветок|tr çiçek|ar زهرة|hi फूल|ja 花|zh 花|ko 꽃
moon|es luna|fr lune|de mond|pt lua|it luna|ru луна|tr ay|ar قمر|hi चाँद|ja 月|zh 月亮|ko 달
star|es estrella|fr étoile|de sterne|pt estrela|it stella|ru звезда|tr yıldız|ar نجمة|hi तारा|ja 星|zh 星星|ko 별
ghost|es fantasma|fr fantôme|de gespenst|pt fantasma|it fantasma|ru призрак|tr hayalet|ar شبح|hi भूत|ja 幽霊|zh 鬼|ko 유령
cute,adorable|es tierno|fr mignon|de süß|pt fofo|it carino|ru милый|tr tatlı|ar كيوت|hi प्यारा|ja かわいい|zh 可爱|ko 귀여워
surprised,surprise,shocked|es sorpresa|fr surpris|de überrascht|pt surpreso|it sorpreso|ru удивление|tr şaşkın|ar متفاجئ|hi हैरान|ja びっくり|zh 惊讶|ko 놀람
`
  .trim()
  .split('\n')
  .map((line) => line.split('|'))
  .flatMap(([concepts = '', ...cells]) =>
    cells.map((cell) => {
      const [, language = '', word = ''] = /^(..) (.*)$/.exec(cell)!;
      return { concepts: concepts.split(','), language, word };
    }),
  );

function isRight({ concepts, word }: (typeof WORDS)[number]): boolean {
  const phrases = languages.meanings(normaliseQuery(word)).flatMap((meaning) => meaning.phrases.slice(0, 3));
  return phrases.some(({ phrase }) => concepts.includes(phrase));
}

/**
 * The table is wrong for four words, with and without their accents. Another version of the table is allowed to be
 * wrong for one more.
 */
const MOST_WRONG = 5;

test('40 frequent words in 12 languages: all but five have the right meaning among the first three', () => {
  expect(WORDS).toHaveLength(480);
  const wrong = WORDS.filter((word) => !isRight(word)).map(({ language, word }) => `${language} ${word}`);
  expect(wrong.length, wrong.join(', ')).toBeLessThanOrEqual(MOST_WRONG);
});

test('accents can be missing in languages that people type without them', () => {
  const wrong = WORDS.filter(({ word }) => /^[\p{sc=Latin} ]+$/u.test(word))
    .map((each) => ({ ...each, word: each.word.normalize('NFD').replace(/\p{M}/gu, '') }))
    .filter((word) => !isRight(word));
  expect(wrong.length, wrong.map(({ word }) => word).join(', ')).toBeLessThanOrEqual(MOST_WRONG);
});
