// Pictures begin when the reader comes to them, and again when asked. Nothing begins where no motion is wanted.

const still = matchMedia('(prefers-reduced-motion: reduce)');
const icon = 'M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3';
let plays = 0;

/** Loads a picture again under another fragment, by which browsers take it for another one. */
function play(image) {
  const address = new URL(image.src);
  plays += 1;
  address.hash = `play${plays}`;
  image.src = address;
}

function button(image) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'again';
  made.title = 'Play again';
  made.setAttribute('aria-label', `Play again: ${image.alt}`);
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg.namespaceURI, 'path');
  path.setAttribute('d', icon);
  svg.append(path);
  made.append(svg);
  made.addEventListener('click', () => play(image));
  return made;
}

const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    play(target);
  }
}, { threshold: 0.5 });

if (!still.matches) {
  for (const ground of document.querySelectorAll('.ground')) {
    const image = ground.querySelector('img');
    // A PNG does not move.
    if (/^\/render\.png\b/.test(new URL(image.src).pathname)) continue;
    ground.append(button(image));
    watcher.observe(image);
  }
}
