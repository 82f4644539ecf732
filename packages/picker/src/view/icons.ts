import { html, type TemplateResult } from 'lit-html';

/** Paths in a 24 by 24 view box. */
const PATHS = {
  search: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12m4.5 10.5L20 20',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  star: 'M12 4l2.5 5.2 5.5.8-4 4 1 5.7-5-2.8-5 2.8 1-5.7-4-4 5.5-.8z',
  similar: 'M9 9h11v11H9zM15 9V4H4v11h5',
  settings: 'M4 8h9m6 0h1M4 16h1m6 0h9M13 8a3 3 0 1 0 6 0 3 3 0 1 0-6 0M5 16a3 3 0 1 0 6 0 3 3 0 1 0-6 0',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
} as const;

/** Returns a drawing in the current text colour. The button around it has the accessible name. */
export function icon(name: keyof typeof PATHS): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
