import { type Gif, withGif } from '@zoetrope/client';
import './composer.css';
import './panel.css';
import { noteOf } from './note.ts';
import { createPanel } from './panel.ts';

const form = document.querySelector('form')!;
const content = document.querySelector('textarea')!;
const button = document.querySelector('[aria-controls=panel]')!;
const shown = document.querySelector('pre')!;
const picked: Gif[] = [];

const panel = createPanel(pick, close);

function pick(gif: Gif): void {
  content.value = withGif(content.value, gif);
  picked.push(gif);
  close();
}

function close(): void {
  button.setAttribute('aria-expanded', 'false');
  panel.close();
  content.focus();
}

button.addEventListener('click', () => {
  if (button.getAttribute('aria-expanded') === 'true') return close();
  button.setAttribute('aria-expanded', 'true');
  panel.open();
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  // From here on it is a note like any other, for a signer on this device and the relays.
  shown.textContent = JSON.stringify(noteOf(content.value, picked), null, 2);
});
