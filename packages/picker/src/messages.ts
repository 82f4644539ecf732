import type { GifError } from '@zoetrope/client';
import { html, nothing, type TemplateResult } from 'lit';
import { fill, type Strings } from './strings.ts';

/** What there is to tell beside the tiles. */
export interface Told {
  kind: 'search' | 'recent' | 'favourites' | 'similar';
  /** How many GIFs there are in all. */
  total: number;
  /** What was searched for, or the title of what others are like. */
  about: string;
  /** Of the service. */
  host: string;
  error: GifError | null;
  isLoading: boolean;
  strings: Strings;
}

/** What is said where there are no tiles, or after them. */
export function renderMessage(told: Told, retry: () => void): TemplateResult | typeof nothing {
  const { kind, total, error, isLoading, strings } = told;
  const message = (content: unknown) => html`<div class="message" part="message">${content}</div>`;
  if (error !== null) {
    const again = html`<button class="retry" @click=${retry}>${strings.retry}</button>`;
    return message(html`<strong>${errorText(told)}</strong>${again}`);
  }
  if (isLoading) return message(strings.loading);
  if (total > 0 || (kind === 'search' && told.about === '')) return nothing;
  if (kind === 'recent' || kind === 'favourites') return message(strings.empty);
  // Isolated: the words may be of another direction of reading than the sentence.
  const q = `\u2068${told.about}\u2069`;
  return message(html`<strong>${fill(strings.nothing, { q })}</strong>${strings.tryOther}`);
}

/** What a screen reader says when something else is shown. */
export function announcementOf(told: Told): string {
  const { kind, total, about, error, isLoading, strings } = told;
  if (error !== null) return errorText(told);
  if (isLoading || (kind === 'search' && about === '')) return '';
  if (total === 0) return kind === 'search' || kind === 'similar' ? fill(strings.nothing, { q: about }) : strings.empty;
  const found = fill(strings.found, { n: total });
  return kind === 'similar' ? `${fill(strings.similarTo, { q: about })}: ${found}` : found;
}

const BUSY_S = 60;

function errorText({ error, host, strings }: Told): string {
  if (!navigator.onLine) return strings.offline;
  if (error?.code === 'rate_limited') return fill(strings.busy, { n: error.retryAfter ?? BUSY_S });
  return error?.code === 'validation' ? strings.failed : fill(strings.unreachable, { name: host });
}
