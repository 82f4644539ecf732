import { html, type TemplateResult } from 'lit';

/** Paths in a 24 by 24 view box. */
const PATHS = {
  search: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12m4.5 10.5L20 20',
  close: 'M6 6l12 12M18 6L6 18',
  star: 'M12 4l2.5 5.2 5.5.8-4 4 1 5.7-5-2.8-5 2.8 1-5.7-4-4 5.5-.8z',
  similar: 'M9 9h11v11H9zM15 9V4H4v11h5',
} as const;

/** Returns a drawing in the current text colour. The button around it has the accessible name. */
export function icon(name: keyof typeof PATHS): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
