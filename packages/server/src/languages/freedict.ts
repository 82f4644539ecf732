import path from 'node:path';
import { OperatorError } from '../base/errors.ts';
import { readDictd } from './dictd.ts';
import { enumerated, Meanings, type SourceDictionary, withoutArticle } from './meanings.ts';

const FILE = /^(?:freedict-)?([a-z]{3})-([a-z]{3})\.(?:index|dict|dict\.dz)$/;
/** Our language codes, keyed by FreeDict's codes. */
const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  `spa:es por:pt fra:fr deu:de ita:it rus:ru jpn:ja zho:zh kor:ko ara:ar hin:hi tur:tr ind:id vie:vi nld:nl pol:pl swe:sv
   tha:th ukr:uk fas:fa ces:cs ron:ro ell:el hun:hu dan:da fin:fi nor:no nob:no heb:he
   ben:bn urd:ur msa:ms tam:ta swa:sw swh:sw hrv:hr srp:sr bul:bg slk:sk cat:ca aze:az uzb:uz sqi:sq est:et glg:gl slv:sl`
    .split(/\s+/)
    .map((pair) => pair.split(':')),
);
/** Matches lines without meanings: cross-references, notes and quoted examples. */
const ASIDE = /^\s*(?:see:|(?:Synonym|Antonym|Note)s?:|["“])/;
/** Matches the number of a sense, at the start of the sense's line or at the end of the previous line. */
const SENSE = /^\s*\d+\.\s*|\s\d+\.\s*$/g;
const NEXT_SENTENCE = /\.\s.*$|\.$/;
const ENGLISH = /^[a-z][a-z ]*$/i;
const LICENCE = /Availability:\s*\n([\s\S]*?)\n(?=\S)/;
const MAX_LICENCE = 300;

export function isFreeDict(file: string): boolean {
  return FILE.test(path.basename(file));
}

/**
 * Reads a dictionary of FreeDict, which translates from a language into English or from English into a language.
 * @param file the dictionary's `.index` or `.dict.dz` file. The other file must be in the same folder.
 * @throws OperatorError if the dictionary is damaged or its language is not supported
 */
export async function readFreeDict(file: string): Promise<SourceDictionary> {
  const [, from = '', to = ''] = FILE.exec(path.basename(file)) ?? [];
  const language = CODES[from === 'eng' ? to : from];
  if (language === undefined || (from !== 'eng' && to !== 'eng')) {
    const known = Object.keys(CODES).join(', ');
    throw new OperatorError(
      `${file} is a dictionary from ${from} to ${to}; one of them must be eng, and the other one of ${known}`,
    );
  }
  const { about, entries } = await readDictd(file.replace(/\.(?:index|dict|dict\.dz)$/, ''));
  const meanings = new Meanings();
  for (const { headword, text } of entries) {
    if (from === 'eng' && !ENGLISH.test(headword)) continue;
    for (const [rank, meant] of meantBy(text).entries()) {
      if (from === 'eng') meanings.add(meant, headword, rank);
      else meanings.add(headword, withoutArticle(meant), rank);
    }
  }
  return {
    name: `${from}-${to}`,
    language,
    title: titleOf(about),
    licence: licenceOf(about.info),
    meanings: meanings.sorted(),
  };
}

/** Returns the translations in an entry, in the order of the entry. The entry's first line repeats the headword. */
function meantBy(text: string): string[] {
  return text
    .split('\n')
    .slice(1)
    .filter((line) => !ASIDE.test(line))
    .flatMap((line) => enumerated(line.replace(SENSE, ' ').replaceAll('~', ' ')))
    .map((meant) => meant.replace(NEXT_SENTENCE, ''));
}

function titleOf({ info, short }: { info: string; short: string }): string {
  const lines = `${short}\n${info}`.split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '' && !line.startsWith('00')) ?? 'FreeDict dictionary';
}

/** Returns the start of the dictionary's text about its licence. */
function licenceOf(info: string): string | null {
  const text = LICENCE.exec(info)?.[1]?.replace(/\s+/g, ' ').trim() ?? '';
  if (text === '') return null;
  return text.length <= MAX_LICENCE ? text : `${text.slice(0, MAX_LICENCE)}…`;
}
