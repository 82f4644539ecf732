/** The languages of the columns below, after English. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'pt', 'it', 'ru', 'ja', 'zh', 'ko', 'ar', 'hi'] as const;

/** What somebody types, and the English words of which the first GIF must carry one in its title or its tags. */
export interface Wish {
  language: (typeof LANGUAGES)[number];
  typed: string;
  accepted: readonly string[];
}

/**
 * Forty words that people look for GIFs with. First the accepted words, which name the emoji that such a GIF shows,
 * then what is typed in each language, in the order of `LANGUAGES`.
 */
const TABLE = `
love, heart | love | amor | amour | liebe | amor | amore | любовь | 愛 | 爱 | 사랑 | حب | प्यार
happy, joy, smile | happy | feliz | heureux | glücklich | feliz | felice | счастье | 嬉しい | 开心 | 행복 | سعيد | खुश
sad, cry, unhappy | sad | triste | triste | traurig | triste | triste | грустно | 悲しい | 难过 | 슬퍼 | حزين | उदास
angry, mad, rage | angry | enojado | en colère | wütend | zangado | arrabbiato | злой | 怒り | 生气 | 화나 | غاضب | गुस्सा
laugh, lol, haha | laugh | risa | rire | lachen | risada | risata | смех | 笑 | 大笑 | 웃음 | ضحك | हंसी
cry, crying, tears | cry | llorar | pleurer | weinen | chorar | piangere | плакать | 泣く | 哭 | 울음 | بكاء | रोना
hello, hi, hey, wave | hello | hola | salut | hallo | olá | ciao | привет | こんにちは | 你好 | 안녕 | مرحبا | नमस्ते
bye, goodbye | goodbye | adiós | au revoir | tschüss | tchau | arrivederci | до свидания | さようなら | 再见 | 잘 가 | مع السلامة | अलविदा
good morning, gm | good morning | buenos días | bonjour | guten morgen | bom dia | buongiorno | доброе утро | おはよう | 早上好 | 좋은 아침 | صباح الخير | सुप्रभात
good night, gn | good night | buenas noches | bonne nuit | gute nacht | boa noite | buonanotte | спокойной ночи | おやすみ | 晚安 | 잘 자 | تصبح على خير | शुभ रात्रि
thank you, thanks | thank you | gracias | merci | danke | obrigado | grazie | спасибо | ありがとう | 谢谢 | 감사합니다 | شكرا | धन्यवाद
please, begging | please | por favor | s'il te plaît | bitte | por favor | per favore | пожалуйста | お願い | 拜托 | 제발 | من فضلك | कृपया
sorry, my bad, apology | sorry | lo siento | désolé | entschuldigung | desculpa | scusa | извини | ごめん | 对不起 | 미안해 | آسف | माफ़ करना
yes, ok, agree | yes | sí | oui | ja | sim | sì | да | はい | 是 | 네 | نعم | हाँ
no, nope | no | no | non | nein | não | no | нет | いいえ | 不 | 아니 | لا | नहीं
dance, dancing | dance | bailar | danser | tanzen | dançar | ballare | танец | ダンス | 跳舞 | 춤 | رقص | नाच
party, celebrate | party | fiesta | fête | party | festa | festa | вечеринка | パーティー | 派对 | 파티 | حفلة | पार्टी
birthday | happy birthday | feliz cumpleaños | joyeux anniversaire | alles gute zum geburtstag | feliz aniversário | buon compleanno | с днём рождения | 誕生日おめでとう | 生日快乐 | 생일 축하해 | عيد ميلاد سعيد | जन्मदिन मुबारक
congratulations, congrats, well done | congratulations | felicidades | félicitations | herzlichen glückwunsch | parabéns | congratulazioni | поздравляю | おめでとう | 恭喜 | 축하해 | مبروك | बधाई
applause, clap, clapping | applause | aplausos | applaudissements | applaus | palmas | applausi | аплодисменты | 拍手 | 鼓掌 | 박수 | تصفيق | ताली
cat, kitty | cat | gato | chat | katze | gato | gatto | кот | 猫 | 猫 | 고양이 | قطة | बिल्ली
dog, puppy | dog | perro | chien | hund | cachorro | cane | собака | 犬 | 狗 | 강아지 | كلب | कुत्ता
coffee | coffee | café | café | kaffee | café | caffè | кофе | コーヒー | 咖啡 | 커피 | قهوة | कॉफी
beer | beer | cerveza | bière | bier | cerveja | birra | пиво | ビール | 啤酒 | 맥주 | بيرة | बीयर
hungry, food, eat | hungry | hambre | faim | hunger | fome | fame | голодный | お腹すいた | 饿 | 배고파 | جائع | भूख
sleep, sleepy, zzz | sleep | dormir | dormir | schlafen | dormir | dormire | спать | 寝る | 睡觉 | 잠 | نوم | नींद
tired, exhausted | tired | cansado | fatigué | müde | cansado | stanco | устал | 疲れた | 累 | 피곤해 | متعب | थका हुआ
kiss | kiss | beso | bisou | kuss | beijo | bacio | поцелуй | キス | 亲吻 | 키스 | قبلة | चुंबन
hug, hugs, embrace | hug | abrazo | câlin | umarmung | abraço | abbraccio | обнимаю | ハグ | 拥抱 | 포옹 | عناق | गले लगाना
fire, lit, flame | fire | fuego | feu | feuer | fogo | fuoco | огонь | 火 | 火 | 불 | نار | आग
sun, sunny | sun | sol | soleil | sonne | sol | sole | солнце | 太陽 | 太阳 | 태양 | شمس | सूरज
rain, rainy | rain | lluvia | pluie | regen | chuva | pioggia | дождь | 雨 | 下雨 | 비 | مطر | बारिश
cold, freezing | cold | frío | froid | kalt | frio | freddo | холодно | 寒い | 冷 | 추워 | برد | ठंड
music, song | music | música | musique | musik | música | musica | музыка | 音楽 | 音乐 | 음악 | موسيقى | संगीत
money, cash, rich | money | dinero | argent | geld | dinheiro | soldi | деньги | お金 | 钱 | 돈 | فلوس | पैसा
work, working, job | work | trabajo | travail | arbeit | trabalho | lavoro | работа | 仕事 | 工作 | 일 | عمل | काम
run, running | run | correr | courir | rennen | correr | correre | бежать | 走る | 跑步 | 달리기 | جري | दौड़ना
think, thinking, hmm | thinking | pensando | réfléchir | nachdenken | pensando | pensare | думаю | 考え中 | 思考 | 생각 | تفكير | सोचना
surprised, shocked, wow | surprised | sorprendido | surpris | überrascht | surpreso | sorpreso | удивление | びっくり | 惊讶 | 놀람 | متفاجئ | हैरान
scared, afraid, fear | scared | miedo | peur | angst | medo | paura | страшно | 怖い | 害怕 | 무서워 | خوف | डर
`;

/** Every word of the table in every language. */
export const WISHES: readonly Wish[] = TABLE.trim().split('\n').flatMap(readLine);

function readLine(line: string): Wish[] {
  const [first, ...typed] = line.split('|').map((column) => column.trim());
  if (typed.length !== LANGUAGES.length) throw new Error(`"${line}" has not a word for each language`);
  const accepted = first!.split(', ');
  return LANGUAGES.map((language, i) => ({ language, typed: typed[i]!, accepted }));
}
