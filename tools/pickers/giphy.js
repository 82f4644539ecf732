import { Grid, SearchBar, SearchContext, SearchContextManager, SuggestionBar } from '@giphy/react-components';
import { createElement, Fragment, useContext } from 'react';
import { createRoot } from 'react-dom/client';

/** GIPHY's search experience, used as in its documentation, in a scrolling panel. */
function Components() {
  const { fetchGifs, searchKey } = useContext(SearchContext);
  const onGifClick = (gif, event) => {
    event.preventDefault();
    Object.assign(window, { picked: gif.id });
  };
  return createElement(
    Fragment,
    null,
    createElement(SearchBar, { autoFocus: true }),
    createElement(SuggestionBar),
    createElement(
      'div',
      { style: { height: 340, overflow: 'auto' } },
      createElement(Grid, { key: searchKey, columns: 3, width: 580, fetchGifs, onGifClick }),
    ),
  );
}

createRoot(document.querySelector('#app')).render(
  createElement(SearchContextManager, { apiKey: 'key' }, createElement(Components)),
);
