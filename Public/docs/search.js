// The search: words of the documentation's pages, from an index that docs/make-site writes.

const form = document.querySelector('.search');
const field = form.querySelector('input');
const status = form.querySelector('[role="status"]');
const panel = form.querySelector('.results');

/** How many sections are shown, at most. */
const most = 12;
/** What a word counts in the heading of a section, in those above it, in its text, and there if it comes many times. */
const weights = { heading: 9, above: 6, text: 1, often: 4 };

let loading;

/** Returns the index; it is loaded when the search is first used. */
function loadedIndex() {
  loading ??= fetch(`${form.dataset.site}search.json`).then(async (answer) => {
    if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
    const { pages, sections, words, places } = await answer.json();
    return {
      sections: sections.map(([page, anchor, headings, excerpt]) => {
        const [path, title] = pages[page];
        const places = [title, ...headings];
        return {
          address: form.dataset.site + path + (anchor && `#${anchor}`),
          places,
          excerpt,
          heading: wordsOf(places.at(-1)),
          above: wordsOf(places.slice(0, -1).join(' ')),
        };
      }),
      words: words.split(' '),
      places: places.split(' '),
    };
  });
  loading.catch(() => { loading = undefined; });
  return loading;
}

function wordsOf(text) {
  return text.normalize('NFC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns what the text counts of each section that has a word with this beginning, by the sections' numbers. */
function sectionsWith(beginning, { words, places }) {
  const found = new Map();
  let low = 0;
  for (let high = words.length; low < high;) {
    const middle = (low + high) >> 1;
    if (words[middle] < beginning) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < words.length && words[at].startsWith(beginning); at += 1) {
    let number = -1;
    for (const step of places[at].split('.')) {
      number += parseInt(step, 36);
      const weight = (weights.text + (step.endsWith('*') ? weights.often : 0)) * (words[at] === beginning ? 2 : 1);
      found.set(number, Math.max(weight, found.get(number) ?? 0));
    }
  }
  return found;
}

/** Returns what the headings of a section count for a word of the query; a whole word counts twice. */
function weightOfHeadings({ heading, above }, word) {
  const within = (list) => (list.includes(word) ? 2 : list.some((one) => one.startsWith(word)) ? 1 : 0);
  return weights.heading * within(heading) + weights.above * within(above);
}

/** Returns the sections that have every word of a query, the best first. */
function sectionsFor(query, index) {
  const asked = wordsOf(query);
  if (asked.length === 0) return [];
  const [first, ...others] = asked.map((word) => sectionsWith(word, index));
  // Where words are joined by a hyphen, as in the names of options, they stand together.
  const compounds = (query.toLowerCase().match(/\p{L}+(-\p{L}+)+/gu) ?? []).map((word) => sectionsWith(word, index));
  const ranked = [];
  for (const number of first.keys()) {
    if (!others.every((found) => found.has(number))) continue;
    const section = index.sections[number];
    const parts = [...[first, ...others].map((found, at) => found.get(number) + weightOfHeadings(section, asked[at])),
      ...compounds.map((found) => (found.has(number) ? weights.heading : 0))];
    ranked.push({ section, number, sum: parts.reduce((sum, part) => sum + part) });
  }
  ranked.sort((one, other) => other.sum - one.sum || one.number - other.number);
  return ranked.map(({ section }) => section);
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function result({ address, places, excerpt }) {
  const link = element(
    'a', { href: address }, element('strong', {}, places.join(' › ')), element('span', {}, excerpt));
  link.addEventListener('click', close);
  return element('li', {}, link);
}

function close() {
  panel.hidden = true;
  status.textContent = '';
}

async function search() {
  const query = field.value;
  if (wordsOf(query).length === 0) return close();
  let found;
  try {
    const index = await loadedIndex();
    if (field.value !== query) return;
    found = sectionsFor(query, index);
    panel.replaceChildren(
      found.length === 0
        ? element('p', {}, `Nothing has “${query.trim()}”.`)
        : element('ol', {}, ...found.slice(0, most).map((section) => result(section))));
  } catch {
    panel.replaceChildren(element('p', {}, 'The search cannot be loaded. Are you offline?'));
  }
  panel.hidden = false;
  panel.scrollTop = 0;
  status.textContent = found ? counted(found.length) : panel.textContent;
}

function counted(count) {
  if (count === 0) return 'No results';
  if (count === 1) return '1 result';
  return count > most ? `The first ${most} of ${count} results` : `${count} results`;
}

/** Moves the focus by one result down or up; the field is before the first. */
function move(step) {
  const stops = [field, ...panel.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement) + step;
  stops[Math.min(Math.max(at, 0), stops.length - 1)].focus();
}

field.addEventListener('input', search);
field.addEventListener('focus', () => { loadedIndex().catch(() => {}); if (panel.hidden) search(); });
form.addEventListener('submit', (event) => {
  event.preventDefault();
  panel.querySelector('a')?.click();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    field.focus();
    close();
  } else if (!panel.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  }
});
form.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget && !form.contains(relatedTarget)) close();
});
document.addEventListener('pointerdown', ({ target }) => { if (!form.contains(target)) close(); });
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  field.focus();
});
