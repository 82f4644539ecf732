// Completes the text in the search box. The list of completions below the box works with pointer, keyboard and screen
// reader (a combobox).
const BASE = document.documentElement.dataset.base ?? '';
/** Milliseconds without a key press after which completions are requested. */
const PAUSE_MS = 120;
const COUNT = 6;

/**
 * Adds completions to a search box.
 * @param choose called when a completion is chosen. Its text is then already in the box
 */
export function complete(input, choose) {
  const list = document.querySelector('#completions');
  let asking = new AbortController();
  let typing = 0;
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  close();

  function close() {
    clearTimeout(typing);
    asking.abort();
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  function show(options) {
    list.replaceChildren(...options);
    list.hidden = options.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    input.removeAttribute('aria-activedescendant');
  }

  async function ask(q) {
    asking = new AbortController();
    try {
      const address = `${BASE}/try/api/v1/suggest?limit=${COUNT}&q=${encodeURIComponent(q)}`;
      const response = await fetch(address, { signal: asking.signal });
      const { terms } = await response.json();
      show(optionsOf(terms, q.toLowerCase()));
    } catch {
      // Searching works without completions.
    }
  }

  function active() {
    return list.querySelector('[aria-selected="true"]');
  }

  function activate(option) {
    active()?.setAttribute('aria-selected', 'false');
    option?.setAttribute('aria-selected', 'true');
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  }

  function take(option) {
    input.value = option.textContent;
    close();
    choose();
  }

  input.addEventListener('input', () => {
    close();
    const q = input.value.trim();
    if (q !== '') typing = setTimeout(ask, PAUSE_MS, q);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const options = [...list.children];
    const at = options.indexOf(active());
    // If no completion is chosen, Enter searches for the typed text.
    if (event.key === 'Enter' && at < 0) return close();
    const actions = {
      ArrowDown: () => activate(options[at + 1]),
      ArrowUp: () => activate(at < 0 ? options.at(-1) : options[at - 1]),
      Enter: () => take(options[at]),
      Escape: close,
    };
    const act = actions[event.key];
    if (!act) return;
    act();
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  // The box keeps the focus.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => take(target.closest('li')));
}

/** Leaves out terms that only resemble the text, because they are guesses, and a term that equals the text. */
function optionsOf(terms, typed) {
  return terms.filter(({ term, fuzzy }) => !fuzzy && term !== typed).map(({ term }, n) => makeOption(term, n, typed));
}

/** The part of a completion that was not typed is bold. */
function makeOption(term, n, typed) {
  const option = document.createElement('li');
  option.id = `completion-${n}`;
  option.role = 'option';
  option.dir = 'auto';
  option.ariaSelected = 'false';
  if (term.startsWith(typed)) {
    const rest = document.createElement('b');
    rest.textContent = term.slice(typed.length);
    option.append(typed, rest);
  } else option.textContent = term;
  return option;
}
