/** The words of the interface, in the order of `KEYS`, and the names of topics that are words. */

const KEYS = [
  'search',
  'clear',
  'topics',
  'recent',
  'favourites',
  'found',
  'nothing',
  'tryOther',
  'empty',
  'similar',
  'similarTo',
  'keep',
  'drop',
  'unreachable',
  'offline',
  'busy',
  'failed',
  'retry',
  'loading',
  'untitled',
] as const;

export type Strings = Record<(typeof KEYS)[number], string> & { topicNames: Record<string, string> };

const TOPICS = ['coffee', 'yes', 'love', 'fire', 'applause'] as const;

type Row = readonly [strings: string, topics: string];

/** `{n}` is a number, `{q}` what was searched for, `{name}` a service. */
const LANGUAGES: Record<string, Row> = {
  en: [
    'Search GIFs|Clear|Topics|Recent|Favourites|{n} GIFs|Nothing found for “{q}”|Try other words or an emoji|Nothing here yet|More like this|Like “{q}”|Add to favourites|Remove from favourites|The GIFs of {name} cannot be reached right now|You are offline|Too many requests; try again in {n} s|Something went wrong|Try again|Loading…|GIF without a title',
    'coffee|yes|love|fire|applause',
  ],
  de: [
    'GIFs suchen|Leeren|Themen|Zuletzt|Favoriten|{n} GIFs|Nichts gefunden zu „{q}“|Versuche andere Wörter oder ein Emoji|Hier ist noch nichts|Ähnliche|Ähnlich wie „{q}“|Zu den Favoriten|Aus den Favoriten nehmen|Die GIFs von {name} sind gerade nicht erreichbar|Du bist offline|Zu viele Anfragen; versuche es in {n} s wieder|Etwas ist schiefgegangen|Noch einmal|Lädt …|GIF ohne Titel',
    'Kaffee|ja|Liebe|Feuer|Applaus',
  ],
  es: [
    'Buscar GIF|Borrar|Temas|Recientes|Favoritos|{n} GIF|No hay nada para «{q}»|Prueba con otras palabras o un emoji|Aquí no hay nada todavía|Parecidos|Parecidos a «{q}»|Añadir a favoritos|Quitar de favoritos|Los GIF de {name} no están disponibles ahora|Sin conexión|Demasiadas peticiones; prueba en {n} s|Algo ha fallado|Reintentar|Cargando…|GIF sin título',
    'café|sí|amor|fuego|aplausos',
  ],
  fr: [
    'Chercher des GIF|Effacer|Thèmes|Récents|Favoris|{n} GIF|Rien pour « {q} »|Essayez d’autres mots ou un emoji|Rien ici pour l’instant|Semblables|Semblables à « {q} »|Ajouter aux favoris|Retirer des favoris|Les GIF de {name} sont injoignables pour l’instant|Vous êtes hors ligne|Trop de requêtes ; réessayez dans {n} s|Un problème est survenu|Réessayer|Chargement…|GIF sans titre',
    'café|oui|amour|feu|bravo',
  ],
  it: [
    'Cerca GIF|Cancella|Temi|Recenti|Preferiti|{n} GIF|Niente per «{q}»|Prova con altre parole o un’emoji|Qui non c’è ancora niente|Simili|Simili a «{q}»|Aggiungi ai preferiti|Togli dai preferiti|Le GIF di {name} non sono raggiungibili ora|Sei offline|Troppe richieste; riprova tra {n} s|Qualcosa è andato storto|Riprova|Caricamento…|GIF senza titolo',
    'caffè|sì|amore|fuoco|applausi',
  ],
  pt: [
    'Pesquisar GIFs|Limpar|Temas|Recentes|Favoritos|{n} GIFs|Nada para “{q}”|Tente outras palavras ou um emoji|Ainda não há nada aqui|Parecidos|Parecidos com “{q}”|Adicionar aos favoritos|Remover dos favoritos|Os GIFs de {name} não estão acessíveis agora|Sem ligação|Pedidos a mais; tente de novo em {n} s|Algo correu mal|Tentar de novo|A carregar…|GIF sem título',
    'café|sim|amor|fogo|aplausos',
  ],
  ru: [
    'Поиск GIF|Очистить|Темы|Недавние|Избранное|GIF: {n}|Ничего не найдено: «{q}»|Попробуйте другие слова или эмодзи|Здесь пока пусто|Похожие|Похожие на «{q}»|В избранное|Убрать из избранного|GIF от {name} сейчас недоступны|Нет сети|Слишком много запросов; повторите через {n} с|Что-то пошло не так|Повторить|Загрузка…|GIF без названия',
    'кофе|да|любовь|огонь|аплодисменты',
  ],
  ar: [
    'ابحث عن صور GIF|مسح|مواضيع|الأخيرة|المفضلة|{n} صورة|لا نتائج لـ «{q}»|جرّب كلمات أخرى أو رمزًا تعبيريًا|لا شيء هنا بعد|المزيد مثل هذه|مثل «{q}»|أضف إلى المفضلة|أزل من المفضلة|تعذر الوصول إلى صور {name} الآن|أنت غير متصل|طلبات كثيرة؛ حاول بعد {n} ث|حدث خطأ ما|حاول مجددًا|جارٍ التحميل…|صورة بلا عنوان',
    'قهوة|نعم|حب|نار|تصفيق',
  ],
  hi: [
    'GIF खोजें|मिटाएँ|विषय|हाल के|पसंदीदा|{n} GIF|“{q}” के लिए कुछ नहीं मिला|दूसरे शब्द या इमोजी आज़माएँ|यहाँ अभी कुछ नहीं है|इस जैसे और|“{q}” जैसे|पसंदीदा में जोड़ें|पसंदीदा से हटाएँ|{name} के GIF अभी नहीं मिल रहे|आप ऑफ़लाइन हैं|बहुत अधिक अनुरोध; {n} सेकंड में फिर कोशिश करें|कुछ गड़बड़ हुई|फिर कोशिश करें|लोड हो रहा है…|बिना शीर्षक का GIF',
    'कॉफ़ी|हाँ|प्यार|आग|तालियाँ',
  ],
  ja: [
    'GIFを検索|消去|トピック|最近|お気に入り|GIF {n}件|「{q}」は見つかりません|ほかの言葉や絵文字を試してください|まだ何もありません|似たGIF|「{q}」に似たGIF|お気に入りに追加|お気に入りから削除|{name}のGIFに接続できません|オフラインです|リクエストが多すぎます。{n}秒後にお試しください|問題が起きました|再試行|読み込み中…|無題のGIF',
    'コーヒー|はい|愛|火|拍手',
  ],
  ko: [
    'GIF 검색|지우기|주제|최근|즐겨찾기|GIF {n}개|“{q}” 결과 없음|다른 단어나 이모지로 찾아보세요|아직 아무것도 없습니다|비슷한 GIF|“{q}”와 비슷한 GIF|즐겨찾기에 추가|즐겨찾기에서 제거|지금은 {name}의 GIF를 불러올 수 없습니다|오프라인입니다|요청이 너무 많습니다. {n}초 뒤 다시 시도하세요|문제가 생겼습니다|다시 시도|불러오는 중…|제목 없는 GIF',
    '커피|네|사랑|불|박수',
  ],
  zh: [
    '搜索 GIF|清除|主题|最近|收藏|{n} 个 GIF|没有找到“{q}”|试试别的词或表情|这里还没有内容|相似的 GIF|与“{q}”相似|加入收藏|移出收藏|暂时无法访问 {name} 的 GIF|你已离线|请求过多，请在 {n} 秒后重试|出错了|重试|加载中…|无标题 GIF',
    '咖啡|是|爱|火|鼓掌',
  ],
};

/** Languages of the interface. */
export const LOCALES: readonly string[] = Object.keys(LANGUAGES);

/** The words in the first of these languages that there are words in, else in English. */
export function stringsFor(languages: readonly string[]): { locale: string; strings: Strings } {
  const codes = languages.map((language) => language.toLowerCase().split(/[-_]/, 1)[0]!);
  const locale = codes.find((code) => code in LANGUAGES) ?? 'en';
  const [strings, topics] = LANGUAGES[locale]!.map((row) => row.split('|')) as [string[], string[]];
  return {
    locale,
    strings: {
      ...(Object.fromEntries(KEYS.map((key, i) => [key, strings[i]!])) as Record<(typeof KEYS)[number], string>),
      topicNames: Object.fromEntries(TOPICS.map((topic, i) => [topic, topics[i]!])),
    },
  };
}

/** A text with its placeholders filled in. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
