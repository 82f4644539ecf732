import GifPicker from 'gif-picker-react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

const onGifClick = ({ id }) => Object.assign(window, { picked: id });

createRoot(document.querySelector('#app')).render(
  createElement(GifPicker, { tenorApiKey: 'key', width: 600, height: 440, onGifClick }),
);
