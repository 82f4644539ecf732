import { LANGUAGES } from './format.ts';

/** The letters beyond a to z of languages with Latin letters, according to their standard orthographies. */
const ALPHABETS: Readonly<Record<string, string>> = {
  es: 'áéíñóúü',
  pt: 'àáâãçéêíóôõú',
  fr: 'àâæçèéêëîïôœùûüÿ',
  de: 'äöüß',
  it: 'àèéìíîòóùú',
  tr: 'âçğıîöşüû',
  id: 'é',
  nl: 'áéèëïóöü',
  pl: 'ąćęłńóśźż',
  sv: 'åäéö',
  cs: 'áčďéěíňóřšťúůýž',
  ro: 'âăîșşțţ',
  hu: 'áéíóöőúüű',
  da: 'åæéø',
  fi: 'äåö',
  no: 'åæéòôø',
  vi: 'àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
  hr: 'čćđšž',
  sk: 'áäčďéíĺľňóôŕšťúýž',
  ca: 'àçèéíïòóúü·',
  sl: 'čšž',
  az: 'çəğıöşü',
  uz: 'ʻʼ',
  sq: 'çë',
  et: 'äöõüšž',
  gl: 'áéíñóúü',
};
const LETTERS: ReadonlyMap<number, ReadonlySet<string>> = new Map(
  Object.entries(ALPHABETS).map(([code, letters]) => [LANGUAGES.indexOf(code), new Set(letters)]),
);

/** Returns whether a language uses all of these letters. `letters` must not be empty. */
export function writes(language: number, letters: string): boolean {
  const alphabet = LETTERS.get(language);
  return alphabet !== undefined && letters !== '' && Array.from(letters).every((letter) => alphabet.has(letter));
}
