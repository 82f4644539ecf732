// Runs before the page is drawn, so that a chosen theme does not flash.
const root = document.documentElement;

function kept() {
  try {
    return localStorage.getItem('theme') ?? '';
  } catch {
    // Storage can be forbidden.
    return '';
  }
}

function show(theme) {
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
}

show(kept());
addEventListener('DOMContentLoaded', () => {
  const choice = document.querySelector('[data-theme-choice]');
  if (!choice) return;
  const select = choice.querySelector('select');
  select.value = root.dataset.theme ?? '';
  choice.hidden = false;
  select.addEventListener('change', () => {
    show(select.value);
    try {
      localStorage.setItem('theme', select.value);
    } catch {}
  });
});
