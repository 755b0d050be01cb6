// The search: words of the documentation's pages, from an index that docs/make-site writes.

const form = document.querySelector('.search');
const field = form.querySelector('input');
const status = form.querySelector('[role="status"]');
const panel = form.querySelector('.results');

/** How many sections are shown, at most. */
const most = 12;
/**
 * What a word counts in the heading of a section, in those above it, in its text, there if it comes many times, and in
 * the first table that has a parameter of this name.
 */
const weights = { heading: 9, above: 6, text: 1, often: 4, parameter: 50 };

/** Words that people use, with those that the documentation has for them. */
const alike = new Map(Object.entries({
  center: ['centre', 'align'], centre: ['center', 'align'], color: ['colour'], colour: ['color'], gray: ['grey'],
  host: ['install', 'docker'], hosted: ['install', 'docker'], hosting: ['install', 'docker'],
  icon: ['pictures', 'emoji'], icons: ['pictures', 'emoji'], logo: ['pictures'],
  linebreak: ['breaks'], newline: ['breaks'], newlines: ['breaks'], repeat: ['loop'], slower: ['speed'], faster: ['speed'],
  transparent: ['alpha'], dark: ['darkcolor'], bold: ['weight'], slack: ['chat'],
}));

let loading;

/** Returns the index; it is loaded when the search is first used. */
function loadedIndex() {
  loading ??= fetch(`${form.dataset.site}search.json`).then(async (answer) => {
    if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
    const { pages, sections, common, words, places } = await answer.json();
    return {
      sections: sections.map(([page, anchor, headings, excerpt]) => {
        const [path, title] = pages[page];
        const places = [title, ...headings];
        return {
          page: form.dataset.site + path,
          anchor,
          places,
          excerpt,
          heading: wordsOf(places.at(-1)),
          above: wordsOf(places.slice(0, -1).join(' ')),
        };
      }),
      common: new Set(common.split(' ')),
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

/**
 * Returns the sections that have a word with this beginning, by their numbers: what their text counts, and whether it
 * is the name of a `parameter` there.
 */
function sectionsWith(beginning, { words, places }) {
  const found = new Map();
  let hasRow = false;
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
      const isWhole = words[at] === beginning;
      const parameter = isWhole && step.endsWith('!') ? beginning : null;
      const weight = (weights.text + (step.includes('*') ? weights.often : 0)) * (isWhole ? 2 : 1)
        + (parameter && !hasRow ? weights.parameter : 0);
      hasRow ||= parameter !== null;
      if (weight > (found.get(number)?.weight ?? 0)) found.set(number, { weight, parameter });
    }
  }
  return found;
}

/** Returns the same for a word of the query, and for those that stand for it. */
function sectionsOf(word, index) {
  const found = sectionsWith(word, index);
  for (const other of alike.get(word) ?? []) {
    for (const [number, one] of sectionsWith(other, index)) {
      const weight = one.weight + weightOfHeadings(index.sections[number], other);
      if (weight > (found.get(number)?.weight ?? 0)) found.set(number, { ...one, weight });
    }
  }
  return found;
}

/** Returns what the headings of a section count for a word of the query; a whole word counts twice. */
function weightOfHeadings({ heading, above }, word) {
  const within = (list) => (list.includes(word) ? 2 : list.some((one) => one.startsWith(word)) ? 1 : 0);
  return weights.heading * within(heading) + weights.above * within(above);
}

/**
 * Returns the sections that have every word of a query, the best first, each with the `parameter` that is asked for.
 * Words that all sections have count only where there are no others.
 */
function sectionsFor(query, index) {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const telling = words.filter((word) => !index.common.has(word));
  const asked = telling.length > 0 ? telling : words;
  const [first, ...others] = asked.map((word) => sectionsOf(word, index));
  // Where words are joined by a hyphen, as in the names of options, they stand together.
  const compounds = (query.toLowerCase().match(/\p{L}+(-\p{L}+)+/gu) ?? []).map((word) => sectionsWith(word, index));
  const ranked = [];
  for (const number of first.keys()) {
    if (!others.every((found) => found.has(number))) continue;
    const section = index.sections[number];
    const all = [first, ...others].map((found) => found.get(number));
    const parts = [...all.map(({ weight }, at) => weight + weightOfHeadings(section, asked[at])),
      ...compounds.map((found) => (found.has(number) ? weights.heading : 0))];
    const { parameter } = all.find((one) => one.parameter) ?? all[0];
    ranked.push({ ...section, parameter, number, sum: parts.reduce((sum, part) => sum + part) });
  }
  return ranked.sort((one, other) => other.sum - one.sum || one.number - other.number);
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function result({ page, anchor, places, excerpt, parameter }) {
  const place = [anchor, parameter].filter(Boolean).join('-');
  const link = element(
    'a', { href: page + (place && `#${place}`) },
    element('strong', {}, [...places, parameter].filter(Boolean).join(' › ')), element('span', {}, excerpt));
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
