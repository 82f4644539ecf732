// The active parts of the developer pages: copy buttons, the live picker, and the API reference's console.

/** The service's own pages are not a registered client, so they use these routes instead of the routes of the API. */
const BASE = document.documentElement.dataset.base ?? '';
const TRY = `${location.origin}${BASE}/try`;
const PICKER = `${BASE}/gif-picker.js`;

for (const pre of document.querySelectorAll('main > pre')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(pre.querySelector('code').textContent).then(
      () => 'Copied',
      () => 'Select and copy it',
    );
    button.textContent = copied;
  });
  pre.append(button);
}

const demo = document.querySelector('.demo');
if (demo) {
  const picker = document.createElement('gif-picker');
  picker.setAttribute('service', TRY);
  demo.prepend(picker);
  picker.addEventListener('gif-pick', ({ detail }) => {
    const note = { kind: 1, content: detail.text, tags: [detail.imeta] };
    demo.querySelector('.picked code').textContent = JSON.stringify(note, null, 2);
    demo.querySelector('.picked').hidden = false;
  });
  await import(PICKER);
}

for (const form of document.querySelectorAll('.console')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''));
    const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values[name] ?? '';
      delete values[name];
      return encodeURIComponent(value);
    });
    const address = `${path}?${new URLSearchParams(values)}`;
    show(form, `GET ${address}`, await ask(address));
  });
}

async function ask(address) {
  try {
    const start = performance.now();
    const response = await fetch(TRY + address);
    const body = await response.json();
    return `${response.status} in ${Math.round(performance.now() - start)} ms\n${JSON.stringify(body, null, 2)}`;
  } catch {
    return 'No response: the service cannot be reached.';
  }
}

function show(form, asked, text) {
  const pre = document.createElement('pre');
  pre.tabIndex = 0;
  pre.textContent = `${asked}\n\n${text}`;
  form.querySelector('output').replaceChildren(pre);
}
