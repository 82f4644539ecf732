import type { GifError } from '@zoetrope/client';
import { html, nothing, type TemplateResult } from 'lit-html';
import { fill, type Strings } from './strings.ts';

/** The data that a message depends on. */
export interface PanelState {
  kind: 'opening' | 'search' | 'recent' | 'favourites' | 'similar';
  /** Total number of GIFs. */
  total: number;
  /** Whether GIFs are shown. While a search is running, they can be the GIFs of the previous search. */
  hasGifs: boolean;
  /** The search words, or the title of the GIF to which the results are similar. */
  about: string;
  /** The corrected search words, if they were searched instead of the user's words. */
  corrected: string | null;
  /** Host of the service. */
  host: string;
  error: GifError | null;
  isLoading: boolean;
  strings: Strings;
}

const SHAPES = Array.from({ length: 12 });

/** Renders the message below the tiles, or instead of them. */
export function renderMessage(told: PanelState, retry: () => void): TemplateResult | typeof nothing {
  const { kind, total, hasGifs, error, isLoading, strings } = told;
  if (error !== null) {
    const again = html`<button class="retry" @click=${retry}>${strings.retry}</button>`;
    return message(html`<strong>${errorText(told)}</strong>${again}`);
  }
  // Empty shapes are shown until the first GIFs have arrived.
  if (isLoading) return hasGifs ? nothing : html`<div class="shapes">${SHAPES.map(() => html`<i></i>`)}</div>`;
  if (total > 0 || (kind === 'search' && told.about === '')) return nothing;
  if (kind !== 'search' && kind !== 'similar') return message(strings.empty);
  return hasGifs ? nothing : renderNothing(told);
}

function message(content: unknown): TemplateResult {
  return html`<div class="message" part="message">${content}</div>`;
}

function renderNothing({ about, strings }: PanelState): TemplateResult {
  return message(html`<strong>${fill(strings.nothing, { q: isolated(about) })}</strong>${strings.tryOther}`);
}

/** Isolates the text direction of a query, because the sentence around it can have another direction. */
function isolated(query: string): string {
  return `\u2068${query}\u2069`;
}

/** Renders a note above the tiles if the GIFs belong to a corrected query, or if the search has found none. */
export function renderNote(told: PanelState): TemplateResult | typeof nothing {
  const { kind, total, hasGifs, about, corrected, error, isLoading, strings } = told;
  if (isLoading || error !== null) return nothing;
  if (kind === 'search' && total === 0 && hasGifs && about !== '') return renderNothing(told);
  if (corrected === null) return nothing;
  return html`<p class="correction">${fill(strings.corrected, { q: isolated(corrected) })}</p>`;
}

/** Returns the announcement for screen readers when the content changes. */
export function announcementOf(told: PanelState): string {
  const { kind, total, about, corrected, error, isLoading, strings } = told;
  if (error !== null) return errorText(told);
  if (isLoading || (kind === 'search' && about === '')) return '';
  if (total === 0) return kind === 'search' || kind === 'similar' ? fill(strings.nothing, { q: about }) : strings.empty;
  const found = fill(strings.found, { n: total });
  if (kind === 'similar') return `${fill(strings.similarTo, { q: about })}: ${found}`;
  return corrected === null ? found : `${fill(strings.corrected, { q: corrected })}: ${found}`;
}

/** The causes already reported to developers. All pickers of one page fail for the same reason. */
const explained = new Set<string>();

/** Logs once, for developers, that their page is not registered, and where to register it. */
export function explain(error: GifError | null): void {
  if (error?.code !== 'client_not_registered' || explained.has(error.message)) return;
  explained.add(error.message);
  console.error(error.message);
}

const BUSY_S = 60;

function errorText({ error, host, strings }: PanelState): string {
  if (!navigator.onLine) return strings.offline;
  if (error?.code === 'rate_limited') return fill(strings.rateLimited, { n: error.retryAfter ?? BUSY_S });
  if (error?.code === 'client_not_registered') return fill(strings.unregistered, { name: host });
  return error?.code === 'validation' ? strings.failed : fill(strings.unreachable, { name: host });
}
