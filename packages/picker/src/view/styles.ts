/** The dark colours. */
const DARK = `
  --background: var(--gif-picker-background, #1b1b1f);
  --text: var(--gif-picker-text, #f1f1f4);
  --muted: var(--gif-picker-muted, #a9a9b4);
  --surface: var(--gif-picker-surface, #2c2c33);
  --border: var(--gif-picker-border, #41414b);
  --accent: var(--gif-picker-accent, #a78bfa);
  --on-accent: var(--gif-picker-on-accent, #1b1b1f);
  color-scheme: dark;
`;

/** Pages can set colours and sizes with custom properties, and style everything else with parts. */
const STYLES = `
  :host {
    --background: var(--gif-picker-background, #fff);
    --text: var(--gif-picker-text, #1b1b1f);
    --muted: var(--gif-picker-muted, #5d5d66);
    --surface: var(--gif-picker-surface, #efeff2);
    --border: var(--gif-picker-border, #d8d8de);
    --accent: var(--gif-picker-accent, #6a3df0);
    --on-accent: var(--gif-picker-on-accent, #fff);
    --radius: var(--gif-picker-radius, 10px);
    --gap: var(--gif-picker-gap, 6px);
    display: block;
    width: 100%;
    max-width: 100%;
    height: 440px;
    min-height: 260px;
    box-sizing: border-box;
    color: var(--text);
    font: 15px/1.35 system-ui, sans-serif;
    color-scheme: light;
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme='dark']) {
    ${DARK}
  }
  @media (prefers-color-scheme: dark) {
    :host(:not([theme='light'])) {
      ${DARK}
    }
  }
  * {
    box-sizing: border-box;
  }
  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 0;
    padding: 0;
    cursor: pointer;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  svg {
    width: 20px;
    height: 20px;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
    pointer-events: none;
  }
  .panel {
    position: relative;
    height: 100%;
    background: var(--background);
    border: 1px solid var(--border);
    border-radius: var(--radius);
    overflow: hidden;
  }
  .main {
    display: flex;
    flex-direction: column;
    height: 100%;
  }
  .search {
    position: relative;
    display: flex;
    gap: 4px;
    padding: 10px 10px 0;
  }
  input,
  select {
    height: 40px;
    padding: 0 10px;
    font: inherit;
    font-size: 16px;
    color: inherit;
    background: var(--surface);
    border: 1px solid transparent;
    border-radius: calc(var(--radius) * 0.8);
  }
  input[type='search'] {
    flex: 1;
    min-width: 0;
    padding: 0 40px;
  }
  .search > svg {
    position: absolute;
    inset-inline-start: 21px;
    top: 20px;
    color: var(--muted);
  }
  input:not(:placeholder-shown),
  .suggestions li,
  .title,
  footer a {
    unicode-bidi: plaintext;
  }
  input::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  input::-webkit-search-cancel-button {
    display: none;
  }
  .clear,
  .back,
  .settings {
    width: 32px;
    height: 32px;
    color: var(--muted);
    border-radius: 50%;
  }
  .clear {
    position: absolute;
    inset-inline-end: 50px;
    top: 14px;
  }
  .back {
    position: absolute;
    inset-inline-start: 14px;
    top: 14px;
  }
  .settings {
    margin-block: 4px;
  }
  button svg {
    display: block;
    margin: auto;
  }
  .clear:hover,
  .back:hover,
  .settings:hover,
  .settings[aria-expanded='true'] {
    color: var(--text);
  }
  .suggestions,
  .menu {
    position: absolute;
    z-index: 2;
    inset-inline: 10px;
    top: 54px;
    margin: 0;
    padding: 4px;
    list-style: none;
    background: var(--background);
    border: 1px solid var(--border);
    border-radius: calc(var(--radius) * 0.8);
    box-shadow: 0 6px 20px rgb(0 0 0 / 25%);
  }
  .menu {
    inset-inline-start: auto;
    display: grid;
    max-width: calc(100% - 20px);
  }
  .suggestions li,
  .menu > * {
    padding: 8px 10px;
    border-radius: 6px;
    cursor: pointer;
    text-align: start;
  }
  .menu label {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
  }
  .menu input {
    width: 20px;
    height: 20px;
    margin: 0;
    accent-color: var(--accent);
  }
  .menu .file {
    position: relative;
  }
  .file input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    opacity: 0;
    cursor: pointer;
  }
  .file:focus-within {
    outline: 2px solid var(--accent);
  }
  .suggestions li[aria-selected='true'],
  .suggestions li:hover,
  .menu > :hover {
    background: var(--surface);
  }
  .topics {
    display: flex;
    flex: none;
    gap: 6px;
    height: 52px;
    padding: 10px;
    padding-inline-end: 24px;
    overflow-x: auto;
    scrollbar-width: none;
    mask: linear-gradient(to right, #000 calc(100% - 24px), transparent);
  }
  [dir='rtl'] .topics {
    mask: linear-gradient(to left, #000 calc(100% - 24px), transparent);
  }
  .topics::-webkit-scrollbar {
    display: none;
  }
  .chip {
    flex: none;
    height: 32px;
    padding: 0 12px;
    background: var(--surface);
    border-radius: 16px;
    white-space: nowrap;
  }
  .chip:hover {
    box-shadow: inset 0 0 0 1px var(--muted);
  }
  [dir='rtl'] .back svg {
    scale: -1 1;
  }
  .chip img {
    width: 24px;
    height: 24px;
    margin-inline: -8px 6px;
    object-fit: cover;
    vertical-align: middle;
    background: var(--border);
    border-radius: 50%;
  }
  .chip span {
    display: inline-block;
    max-width: 16em;
    overflow: hidden;
    text-overflow: ellipsis;
    vertical-align: bottom;
  }
  .chip svg {
    display: inline;
    width: 14px;
    height: 14px;
    margin-inline-start: 6px;
    vertical-align: -2px;
  }
  .chip[aria-pressed='true'] {
    color: var(--on-accent);
    background: var(--accent);
  }
  .scroll {
    position: relative;
    flex: 1;
    min-height: 0;
    margin-inline: 10px 0;
    overflow: hidden auto;
    scrollbar-width: thin;
    scrollbar-color: var(--border) transparent;
    overscroll-behavior: contain;
    scrollbar-gutter: stable;
    outline-offset: -2px;
  }
  .grid {
    position: relative;
    contain: layout size style;
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .tile {
    position: absolute;
    overflow: hidden;
    border-radius: calc(var(--radius) * 0.6);
    background: var(--surface) center / 100% 100% no-repeat;
    contain: strict;
  }
  .pick,
  .pick img,
  .pick video {
    display: block;
    width: 100%;
    height: 100%;
  }
  .pick img,
  .pick video {
    object-fit: cover;
  }
  .title {
    display: grid;
    gap: 4px;
    margin: 0;
    padding: 10px;
    overflow-wrap: anywhere;
    text-align: start;
    color: var(--muted);
  }
  .pick:focus-visible {
    outline-offset: -3px;
    outline-width: 3px;
  }
  .pick:focus-visible > * {
    outline: 5px solid var(--background);
    outline-offset: -5px;
  }
  .shapes {
    columns: 150px;
    gap: var(--gap);
  }
  .shapes i {
    display: block;
    height: 110px;
    margin-bottom: var(--gap);
    background: var(--surface);
    border-radius: calc(var(--radius) * 0.6);
  }
  .shapes i:nth-child(3n) {
    height: 160px;
  }
  .details {
    position: absolute;
    inset: 0;
    z-index: 3;
    display: flex;
    flex-direction: column;
    gap: 8px;
    padding: 12px;
    overflow: auto;
    background: var(--background);
  }
  .details img,
  .details video {
    flex: 1;
    min-height: 120px;
    object-fit: contain;
  }
  .details .title {
    padding: 0;
  }
  .details .clear {
    inset-inline-end: 10px;
    top: 10px;
    background: var(--surface);
  }
  .details label {
    display: grid;
    gap: 4px;
    color: var(--muted);
  }
  .details input {
    color: var(--text);
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .actions {
    position: absolute;
    inset-block-start: 4px;
    inset-inline-end: 4px;
    display: flex;
    gap: 4px;
    opacity: 0;
    pointer-events: none;
  }
  .tile:hover .actions,
  .tile:focus-within .actions {
    opacity: 1;
  }
  .actions button {
    pointer-events: auto;
    width: 32px;
    height: 32px;
    color: #fff;
    background: rgb(0 0 0 / 60%);
    border-radius: 50%;
  }
  .actions button:hover {
    background: #000;
  }
  .actions button:focus-visible {
    outline-color: #fff;
    outline-offset: -3px;
  }
  .actions svg {
    width: 18px;
    height: 18px;
  }
  .actions [aria-pressed='true'] svg {
    fill: currentColor;
  }
  .heading {
    position: absolute;
    line-height: 40px;
  }
  .correction {
    margin: 0;
    padding: 0 14px 8px;
    color: var(--muted);
  }
  .message {
    display: grid;
    gap: 10px;
    justify-items: center;
    padding: 40px 16px;
    text-align: center;
    color: var(--muted);
  }
  .panel > .message {
    padding: 8px 16px 16px;
  }
  .message strong {
    color: var(--text);
  }
  .retry {
    padding: 8px 16px;
    color: var(--on-accent);
    background: var(--accent);
    border-radius: 18px;
  }
  footer {
    flex: none;
    height: 34px;
    padding: 0 12px;
    font-size: 13px;
    line-height: 34px;
    color: var(--muted);
  }
  footer a {
    color: inherit;
    text-decoration: underline;
    text-underline-offset: 2px;
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (hover: none) {
    .actions {
      opacity: 1;
    }
    .actions button {
      width: 28px;
      height: 28px;
      background: rgb(0 0 0 / 40%);
    }
    /* A long touch opens the other actions. */
    .actions button + button:not(:focus-visible) {
      opacity: 0;
      pointer-events: none;
    }
  }
  @media (forced-colors: active) {
    .chip[aria-pressed='true'],
    .suggestions li[aria-selected='true'] {
      outline: 2px solid Highlight;
    }
  }
`;

let sheet: CSSStyleSheet | undefined;

/** Returns the styles, which all pickers of a page share. */
export function styleSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
  }
  return sheet;
}
