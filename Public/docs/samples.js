// Code samples with the address of this service, and with buttons that copy them.

const addresses = /https:\/\/your\.host|(?:http:\/\/)?localhost:8080/g;
/** How long a button says that it has copied, in milliseconds. */
const notice = 2000;

const own = location.protocol === 'http:' ? location.host : location.origin;

for (const code of document.querySelectorAll('pre code')) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    // A shell's commands need no scheme.
    text.data = text.data.replace(addresses, (found) => (found.startsWith('http') ? location.origin : own));
  }
  // Browsers have a clipboard where the page came safely.
  if (navigator.clipboard && code.className) offerCopy(code);
}

/** Puts a button into the corner of a sample. */
function offerCopy(code) {
  const box = document.createElement('div');
  box.className = 'sample-box';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  const status = document.createElement('span');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent.trimEnd());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not allowed';
    }
    status.textContent = button.textContent;
    setTimeout(() => {
      button.textContent = 'Copy';
      status.textContent = '';
    }, notice);
  });
  code.parentElement.replaceWith(box);
  box.append(code.parentElement, button, status);
}
