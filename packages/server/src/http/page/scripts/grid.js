// Moves through the tiles with the arrow keys. Only one tile is in the tab order.

const results = document.querySelector('#results');

export function tiles() {
  return [...results.querySelectorAll('.tiles a')];
}

/** Focuses a tile, and puts this tile into the tab order instead of the previous one. */
export function focusTile(link) {
  if (!link) return;
  for (const other of tiles()) other.tabIndex = other === link ? 0 : -1;
  link.focus();
}

/** Returns the tile to which a key moves: a neighbour, or the nearest tile in the next row. */
function tileAt(key, from) {
  const links = tiles();
  const at = links.indexOf(from);
  const isRightToLeft = document.documentElement.dir === 'rtl';
  if (key === 'Home') return links[0];
  if (key === 'End') return links.at(-1);
  if (key === 'ArrowRight') return links[at + (isRightToLeft ? -1 : 1)];
  if (key === 'ArrowLeft') return links[at - (isRightToLeft ? -1 : 1)];
  const centre = (link) => {
    const { left, top, width } = link.getBoundingClientRect();
    return { x: left + width / 2, y: top };
  };
  const own = centre(from);
  const others = links.map((link) => ({ link, ...centre(link) }));
  const beyond = others.filter(({ y }) => (key === 'ArrowDown' ? y > own.y + 1 : y < own.y - 1));
  const row = key === 'ArrowDown' ? Math.min(...beyond.map(({ y }) => y)) : Math.max(...beyond.map(({ y }) => y));
  const near = beyond.filter(({ y }) => Math.abs(y - row) <= 1);
  return near.sort((a, b) => Math.abs(a.x - own.x) - Math.abs(b.x - own.x))[0]?.link;
}

/** Puts one of the tiles into the tab order: the tile that was in it before, or the first tile. */
export function orderTiles() {
  const links = tiles();
  const active = links.find((link) => link.tabIndex === 0 && link.dataset.seen) ?? links[0];
  for (const link of links) {
    link.dataset.seen = 'yes';
    link.tabIndex = link === active ? 0 : -1;
  }
}

results.addEventListener('keydown', (event) => {
  const from = event.target.closest('.tiles a');
  if (!from || !/^(?:Arrow|Home|End)/.test(event.key)) return;
  event.preventDefault();
  const to = tileAt(event.key, from);
  if (event.key === 'ArrowUp' && !to) document.querySelector('#q').focus();
  else focusTile(to);
});
