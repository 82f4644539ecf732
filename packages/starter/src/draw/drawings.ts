/**
 * The small shapes of effects, on the same 128 x 128 board as the emoji. Their names include a colour: `star:#ffd54a`.
 */
const shapes: Record<string, (colour: string) => string> = {
  dot: (colour) => `<circle cx="64" cy="64" r="60" fill="${colour}"/>`,
  bubble: (colour) =>
    `<circle cx="64" cy="64" r="56" fill="#fff" fill-opacity=".55" stroke="${colour}" stroke-width="9"/><path d="M38 52Q44 36 60 34" stroke="#fff" stroke-width="10" stroke-linecap="round" fill="none"/>`,
  paper: (colour) => `<rect x="8" y="32" width="112" height="64" rx="8" fill="${colour}"/>`,
  streamer: (colour) =>
    `<path d="M20 24Q64 8 64 44T108 64T64 104" fill="none" stroke="${colour}" stroke-width="18" stroke-linecap="round"/>`,
  spark: (colour) => `<path d="M64 2Q70 58 126 64Q70 70 64 126Q58 70 2 64Q58 58 64 2Z" fill="${colour}"/>`,
  star: (colour) =>
    `<path d="M64 8L81 45L121 50L91 77L99 117L64 97L29 117L37 77L7 50L47 45Z" fill="${colour}" stroke="${colour}" stroke-width="8" stroke-linejoin="round"/>`,
  line: (colour) => `<path d="M64 14V114" stroke="${colour}" stroke-width="22" stroke-linecap="round"/>`,
  streak: (colour) => `<path d="M10 64H118" stroke="${colour}" stroke-width="12" stroke-linecap="round"/>`,
  ring: (colour) => `<circle cx="64" cy="64" r="56" fill="none" stroke="${colour}" stroke-width="10"/>`,
  shadow: (colour) => `<ellipse cx="64" cy="64" rx="62" ry="15" fill="${colour}"/>`,
  wisp: (colour) =>
    `<path d="M58 120C34 96 92 76 66 48C50 30 70 20 62 8" fill="none" stroke="${colour}" stroke-width="17" stroke-linecap="round"/>`,
  puff: (colour) =>
    `<g fill="${colour}"><circle cx="44" cy="72" r="34"/><circle cx="84" cy="74" r="32"/><circle cx="64" cy="50" r="32"/></g>`,
  bolt: (colour) =>
    `<path d="M76 4L24 74H58L46 124L106 50H70Z" fill="${colour}" stroke="#5b3a00" stroke-width="7" stroke-linejoin="round"/>`,
  strike: (colour) =>
    `<path d="M70 0L44 46H66L38 90H60L46 128" fill="none" stroke="${colour}" stroke-width="11" stroke-linejoin="round" stroke-linecap="round"/>`,
  zed: (colour) =>
    `<path d="M30 28H98L30 100H98" fill="none" stroke="#2b2140" stroke-width="38" stroke-linejoin="round" stroke-linecap="round"/><path d="M30 28H98L30 100H98" fill="none" stroke="${colour}" stroke-width="20" stroke-linejoin="round" stroke-linecap="round"/>`,
  beam: (colour) => `<path d="M0 64L128 34V94Z" fill="${colour}"/><path d="M0 64L128 54V74Z" fill="#fff"/>`,
  glow: (colour) => `<circle cx="64" cy="64" r="60" fill="${colour}"/><circle cx="64" cy="64" r="30" fill="#fff"/>`,
};

/** Our own pictures of things that have no emoji. */
const pictures: Record<string, () => string> = {
  hills: () =>
    '<path d="M0 128V84Q22 60 52 78T104 70Q118 64 128 72V128Z" fill="#7cc463"/><path d="M0 128V102Q30 84 66 100T128 94V128Z" fill="#5aa84b"/>',
  thought: () =>
    '<g fill="#fff" stroke="#2b2140" stroke-width="5"><circle cx="24" cy="112" r="8"/><circle cx="38" cy="94" r="11"/><rect x="20" y="14" width="100" height="66" rx="33"/></g>',
  shades: () =>
    '<path d="M0 44H128V52H122V68H116V76H108V82H84V76H76V68H70V56H58V68H52V76H44V82H20V76H12V68H6V52H0Z" fill="#101018"/><path d="M18 54h8v6h8v6h8v6h-8v-6h-8v-6h-8zM80 54h8v6h8v6h8v6h-8v-6h-8v-6h-8z" fill="#fff"/>',
  // The sign is drawn as centre lines for a thick pen, like the letters of the captions.
  bitcoin: () => `${coin('#f7931a', '#c96a05', '#ffb557')}<g transform="rotate(13 64 64)">${sign('#fff')}</g>`,
  satoshi: () => `${coin('#ffd24a', '#c98a05', '#ffe58f')}<g transform="rotate(13 64 64)">${sign('#a86400')}</g>`,
  // The picture is a coin with the bolt of a zap.
  zap: () =>
    `${coin('#8e44e8', '#5a1fae', '#b57bff')}<path d="M72 26L38 72H61L54 102L92 56H68Z" fill="#ffd83b" stroke="#5a1fae" stroke-width="5" stroke-linejoin="round"/>`,
  'orange-pill': () => pill('#ff9a2e', '#fff1dc', '#d9760a'),
  'purple-pill': () => pill('#8e44e8', '#f2e6ff', '#6a28c0'),
  ostrich,
};

function pill(left: string, right: string, rim: string): string {
  return `<g transform="rotate(-40 64 64)"><rect x="8" y="38" width="112" height="52" rx="26" fill="${right}"/><path d="M64 38H34A26 26 0 0 0 34 90H64Z" fill="${left}"/><rect x="8" y="38" width="112" height="52" rx="26" fill="none" stroke="${rim}" stroke-width="5"/><path d="M30 51H96" stroke="#fff" stroke-width="7" stroke-linecap="round" opacity=".7"/></g>`;
}

function coin(face: string, rim: string, shine: string): string {
  return `<circle cx="64" cy="64" r="58" fill="${rim}"/><circle cx="64" cy="64" r="51" fill="${face}"/><path d="M26 52A40 40 0 0 1 52 26" fill="none" stroke="${shine}" stroke-width="7" stroke-linecap="round"/><path d="M102 76A40 40 0 0 1 76 102" fill="none" stroke="${rim}" stroke-width="5" stroke-linecap="round" opacity=".5"/>`;
}

function sign(colour: string): string {
  return `<path d="M49 38H67A12.5 12.5 0 0 1 67 63H51M67 63H70A13.5 13.5 0 0 1 70 90H49M53 38V90M59 28V38M70 28V38M59 90V100M70 90V100" fill="none" stroke="${colour}" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function ostrich(): string {
  const legs =
    '<path d="M56 86L52 106L58 122M72 86L76 106L70 122" fill="none" stroke="#e79a7b" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/><path d="M58 122H48M70 122H82" stroke="#d9805f" stroke-width="6" stroke-linecap="round"/>';
  const body =
    '<path d="M96 66C112 60 118 48 112 42C104 40 96 46 92 50" fill="#fff" stroke="#d8d4e6" stroke-width="3"/><ellipse cx="66" cy="70" rx="34" ry="24" fill="#4b3a6b"/><path d="M46 62Q66 50 92 66Q84 84 58 82Q46 76 46 62Z" fill="#6a4fa0"/><path d="M60 68Q74 62 88 70M58 76Q70 72 82 78" fill="none" stroke="#3c2d58" stroke-width="4" stroke-linecap="round"/>';
  const neck =
    '<path d="M40 68C28 58 40 44 34 26" fill="none" stroke="#f0b396" stroke-width="11" stroke-linecap="round"/><path d="M42 70C34 66 32 58 34 54" fill="none" stroke="#fff" stroke-width="11" stroke-linecap="round"/>';
  const head =
    '<ellipse cx="32" cy="20" rx="15" ry="12" fill="#f0b396"/><path d="M20 19L4 24L20 28Z" fill="#f39a2e" stroke="#d67f14" stroke-width="2" stroke-linejoin="round"/><circle cx="29" cy="17" r="6.5" fill="#fff"/><circle cx="27.5" cy="17.5" r="3.6" fill="#2b2140"/><path d="M36 10Q40 2 44 4M40 12Q46 6 50 9" fill="none" stroke="#4b3a6b" stroke-width="4" stroke-linecap="round"/>';
  return legs + body + neck + head;
}

/** Returns the SVG body of one of our own shapes or pictures, or undefined if no shape or picture has this name. */
export function drawing(name: string): string | undefined {
  const [kind = '', colour] = name.split(':');
  return colour === undefined ? pictures[kind]?.() : shapes[kind]?.(colour);
}
