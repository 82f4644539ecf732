/**
 * Slurs and words of pornography, by language. Everyday swear words are left out, because people search and share them
 * as reactions. A word that means something else in another language of this table is left out, because the language of
 * a title is not known. Accents and case do not matter.
 */
export const OFFENSIVE_WORDS: Readonly<Record<string, string>> = {
  en: `
    ahegao, anal, anilingus, anus, areola, bdsm, beaner, beaners, bestiality, big cock, big dick, big tits, bimbo,
    bimbos, blow job, blowjob, blowjobs, boner, boners, boob, boobies, boobs, booty call,
    bukkake, bulldyke, busty, butt plug, buttplug, camel toe, cameltoe, camgirl, camgirls, camwhore, ching chong,
    chink, chinks, clit, clitoris, cock sucker, cocksucker, cocksuckers, cocksucking, coon, coons,
    creampie, cum, cumming, cums, cumshot, cumshots, cumslut, cunnilingus, cunt, cunts, darkie, darkies, date rape,
    deep throat, deepthroat, dick pic, dick pics, dickhead, dickheads, dicks, dildo, dildos, doggystyle, dominatrix,
    dyke, dykes, ecchi, ejaculate, ejaculation, erection, erotic, erotica, fag, faget, faggit, faggot,
    faggots, faggy, fagit, fags,
    fellatio, femdom, fisting, fleshlight, foot fetish, footjob, futa, futanari, gang bang, gangbang, genitals,
    glory hole, gloryhole, gook, gooks, grope, groped, groping, hand job, handjob, heil hitler, hentai, hoes,
    hooker, hookers, horny, incest, jack off, jacking off, jailbait, jap, japs, jerk off, jerking off, jigaboo,
    jizz, kike, kikes, ku klux klan, labia, lolicon, masturbate, masturbates, masturbating, masturbation, milf,
    milfs, molest, molested, molester, my cock, my dick, negroes, nig nog, nigga, niggas, niggaz, nigger, niggers,
    nip slip, nipple, nipples, nsfw, nude, nudes, nudity, nympho, nymphomaniac, onlyfans, orgasm, orgasmic, orgasms,
    orgies, orgy, paedo, paedophile, paki, pakis, pedobear, pedophile, pedophiles, pedophilia, penis, penises,
    porn, pornhub, porno, pornographic, pornography, pornstar, pornstars, prostitute, prostitutes, pube, pubes,
    pussies, pussy, queef, raghead, ragheads, rape, raped, rapes, raping, rapist, rapists, retard, retarded,
    retards, rim job, rimjob, scissoring, scrotum, semen, sex, sexcam, sexting, shemale, shemales, shotacon,
    sieg heil, skank, skanks, skanky, slut, sluts, slutty, smut, sodomy, spastic, spic, spics, splooge, strapon,
    strip club, striptease, suck dick, suck my cock, suck my dick, sucking cock, sucking dick, swastika, tea
    bagging, teabagging, testicle, testicles, thot, thots, threesome, threesomes, tit, tits, titties, titty,
    topless, towelhead, trannies, tranny, twat, twats, twink, twinks, underboob, upskirt, vagina, vaginas, vibrator,
    vibrators, voyeur, vulva, wank, wanker, wankers, wanking, wet dream, wetback, wetbacks, white power, whore,
    whores, wigger, your cock, your dick, zoophile, zoophilia`,
  ar: 'سكس, طيز, شرموطة, شرموط, قحبة, عاهرة, متناك, متناكة, منيوك, اغتصاب',
  bg: 'курва, курви, пичка, путка, педераст, ебач',
  cs: 'kurva, kurvy, kunda, čurák, děvka, děvky, buzerant, buzna, mrdat, zmrd',
  da: 'luder, ludere, fisse, kneppe, perker',
  de: `
    arschficker, ficken, fickt, fotze, fotzen, hure, huren, hurensohn, kanake, kanaken, muschi, neger, nutte,
    nutten, schlampe, schlampen, schwanzlutscher, schwuchtel, schwuchteln, titten, wichsen, wichser`,
  el: 'μουνί, πουτάνα, πουτάνες, πούτσος, καριόλα, καριόλης, γαμήσι',
  es: `
    chupapollas, follar, hija de puta, hijo de puta, hijos de puta, hijoputa, maricón, maricones, panocha, polla,
    pollas, puta, putas, putita, sudaca, tetas, verga, violador`,
  fa: 'کیر, جنده, سکس, سکسی, پورن',
  fi: 'huora, huorat, pillu, vittu, vitun, kyrpä, mulkku, neekeri, nussia',
  fr: `
    bougnoule, branler, branlette, connasse, enculé, enculés, enculer, fille de pute, fils de pute, gouine,
    négresse, nichons, niquer, partouze, pute, putes, salope, salopes, sodomie, suceuse`,
  he: 'זונה, זונות, שרמוטה, סקס, מזדיין, פורנו',
  hi: `
    रंडी, चूत, लंड, भोसड़ी, भोसड़ीके, मादरचोद, बहनचोद, गांड, चुदाई, behenchod, bhenchod, bhosdike, bhosadike,
    chudai, chutiya, chutiye, gaand, madarchod, randi rona`,
  hu: 'kurva, kurvák, fasz, faszom, picsa, picsába, geci, baszni, buzi, szajha, ribanc',
  id: 'bokep, jablay, kontol, memek, ngentot, pelacur, toket',
  it: `
    bocchino, culattone, figlio di puttana, frocio, froci, mignotta, pompino, puttana, puttane, ricchione, sborra,
    tette, zoccola, zoccole`,
  ja: `
    セックス, ちんこ, チンコ, ちんぽ, まんこ, マンコ, オマンコ, おっぱい, 巨乳, フェラチオ, 中出し, レイプ, 強姦, ポルノ, オナニー, ペニス, ヤリマン, 売春婦, 射精, 手コキ, ぶっかけ,
    輪姦, 乳首`,
  ko: '섹스, 씨발, 창녀, 야동, 강간, 병신, 포르노, 쪽바리, 짱깨, 개새끼, 딸딸이',
  nl: 'flikker, hoeren, kut, neuken, pijpbeurt, sletten, tieten',
  no: 'fitte, pakkis',
  pl: `
    chuj, chuja, ciota, cipa, cipka, cycki, dziwka, dziwki, huj, jebać, jebany, kurwa, kurwy, kutas, pizda, ruchać,
    skurwysyn`,
  pt: `
    boceta, boquete, buceta, caralho, cuzão, filho da puta, foder, piroca, punheta, putaria, viadinho, viado,
    xereca, xoxota`,
  ro: 'fute, futut, muie, pizdă, târfă',
  ru: `
    бляди, блядь, ебать, ебаный, залупа, минет, нигер, пидор, пидорас, пидоры, пизда, пиздец, порно, сиськи,
    трахать, трахает, хуй, хуя, чурка, шалава, шлюха, шлюхи`,
  sr: 'јебем, курац, пичка, курва, jebem, kurac, pička, pičke',
  sv: 'fitta, fittor, knulla, knullar, neger',
  th: 'เย็ด, ควย, กะหรี่, ดอกทอง',
  tr: 'amcık, götveren, ibne, kaltak, orospu, orospular, siktir, sikmek, yarak',
  uk: 'курва, хуй, пизда, підор, підорас, шлюха, єбати',
  vi: 'hiếp dâm, phim sex',
  zh: '做爱, 口交, 肛交, 色情, 强奸, 傻逼, 操你, 肏你, 鸡巴, 婊子, 妓女, 淫荡, 淫乱, 阴道, 阴茎, 精液, 轮奸, 乳交, 黑鬼, 支那, 巨乳, 乳头',
};

/** Names and phrases in which an offensive word means something else. */
export const INNOCENT_PHRASES: string = `
  a chink in, battle of the sexes, blue tit, blue tits, chink in the armor, chink in the armour, coal tit, cum
  laude, de retard, dick van dyke, du retard, dyke road, en retard, great tit, great tits, hooker valley, jerry van
  dyke, john lee hooker, maine coon, maine coons, opposite sex, pussy cat, pussy cats, pussy riot, pussy willow,
  same sex, sex and the city, sex ed, sex education, sex lives of college girls, sex pistols, spic
  and span, tit for tat, willow tit`;
