/**
 * The mark: the drum of a zoetrope, seen from above. The slits are the dashes of one line, so the drum turns when the
 * dashes move. The mark is drawn in the colours of the text around it.
 */
export const MARK: string =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">' +
  '<path class="wall" d="M3 11v10c0 3.6 5.8 6.5 13 6.5S29 24.6 29 21V11z"/>' +
  '<path class="slits" d="M3 17c0 3.6 5.8 6.5 13 6.5S29 20.6 29 17"/>' +
  '<ellipse class="rim" cx="16" cy="11" rx="13" ry="6.5"/>' +
  '<ellipse class="well" cx="16" cy="11" rx="10" ry="4.4"/></svg>';

/** A drum whose strip of pictures ends with an empty picture. It is shown if nothing was found. */
export const EMPTY: string =
  '<svg class="drawing" viewBox="0 0 132 40" aria-hidden="true">' +
  `${MARK.replace('<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">', '<g class="mark" transform="translate(0 3.5)">').replace('</svg>', '</g>')}` +
  '<g class="strip"><rect x="38" y="9" width="26" height="22" rx="3"/><circle cx="51" cy="15" r="3.5"/>' +
  '<rect x="70" y="9" width="26" height="22" rx="3"/><circle cx="83" cy="25" r="3.5"/>' +
  '<rect class="gap" x="102" y="9" width="26" height="22" rx="3"/></g></svg>';

const STYLE =
  '.wall,.rim{fill:#6d3bd1}.well{fill:#fbfaf7}.slits{fill:none;stroke:#fbfaf7;stroke-width:6;stroke-dasharray:1.6 2.2}';

const DARK = '@media(prefers-color-scheme:dark){.wall,.rim{fill:#b696ff}.well{fill:#14121a}.slits{stroke:#14121a}}';

/**
 * Returns the mark as a file. Its colours follow the device's colour scheme. @param isFilled whether the mark has a
 * background that fills the square, for the home screens of phones
 */
export function markFile(isFilled: boolean): string {
  const drawing = MARK.replace('<svg class="mark"', '<svg xmlns="http://www.w3.org/2000/svg"')
    .replace(' aria-hidden="true"', '')
    .replace(
      '>',
      `><style>${STYLE}${isFilled ? '' : DARK}</style>${isFilled ? '<path fill="#fbfaf7" d="M0 0h32v32H0z"/>' : ''}`,
    );
  return isFilled
    ? drawing.replace('viewBox="0 0 32 32"', 'viewBox="-8 -8 48 48"').replace('M0 0h32v32H0z', 'M-8-8h48v48H-8z')
    : drawing;
}
