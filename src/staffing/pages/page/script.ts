/** Where the script is. */
export const SCRIPT_PATH = '/page.js';

/**
 * The script of the pages: suggestions while somebody types into a field with `data-suggestions`. It makes
 * the field an editable combobox with a list (ARIA Authoring Practices Guide, "combobox with list
 * autocomplete"): arrow keys choose, Enter takes over, Escape closes. Without it the field is a plain one.
 * Texts are set as texts, never as markup.
 */
export const SCRIPT = `'use strict';
const WAIT_MS = 120;

function combobox(input) {
  const field = input.dataset.suggestions;
  const list = document.createElement('ul');
  const said = document.createElement('p');
  list.className = 'options';
  list.id = input.id + '-options';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  said.className = 'hidden';
  said.setAttribute('role', 'status');
  input.after(list, said);
  const attributes = { role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);

  let active = -1;
  let timer;
  let request = new AbortController();
  let isStopped = false;

  const activate = (index) => {
    active = index;
    for (const [at, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(at === index));
    const option = list.children[index];
    if (option === undefined) return input.removeAttribute('aria-activedescendant');
    input.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const show = (isOpen) => {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    activate(-1);
  };
  const close = () => {
    clearTimeout(timer);
    request.abort();
    if (!list.hidden) show(false);
  };
  const take = (index) => {
    const option = list.children[index];
    if (option !== undefined) input.value = option.dataset.value;
    close();
  };
  const offer = (suggestions) => {
    list.replaceChildren(...suggestions.map(({ value, note }, index) => {
      const option = document.createElement('li');
      const more = document.createElement('span');
      option.id = list.id + '-' + index;
      option.setAttribute('role', 'option');
      option.dataset.value = value;
      more.textContent = note;
      option.append(value + ' ', more);
      return option;
    }));
    show(suggestions.length > 0);
    said.textContent = suggestions.length === 1 ? '1 suggestion' : suggestions.length + ' suggestions';
  };
  const ask = async () => {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const text = input.value.trim();
    if (isStopped || text.length < 2) return close();
    try {
      const query = new URLSearchParams({ field, text });
      const response = await fetch('/suggestions?' + query, { signal });
      // The session has ended, or there were too many requests: the field works without suggestions.
      if (!response.ok) isStopped = true;
      else offer((await response.json()).suggestions);
    } catch {
      // A newer text replaced this one, or the network failed.
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const count = list.children.length;
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) return void ask();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      // One place more than options: the text itself.
      activate(((active + 1 + step + count + 1) % (count + 1)) - 1);
    } else if (event.key === 'Enter' && !list.hidden && active >= 0) {
      event.preventDefault();
      take(active);
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    take([...list.children].indexOf(target.closest('li')));
    input.focus();
  });
}

for (const input of document.querySelectorAll('input[data-suggestions]')) combobox(input);
`;
