/** What a README's author pastes; `readable` is null where no query can tell it all. */
export function snippets({ address, readable, text, width, height, isImage }) {
  const alt = text.replace(/\s+/g, ' ').trim();
  const links = [
    { title: 'URL', code: address },
    ...readable ? [{ title: 'Query URL', code: readable }] : [],
  ];
  if (!isImage) return links;
  return [
    { title: 'Markdown', code: `![${escapedMarkdown(alt)}](${address})` },
    {
      title: 'HTML',
      code: `<img src="${escapedHTML(address)}" width="${width}" height="${height}" `
        + `alt="${escapedHTML(alt)}">`,
    },
    ...links,
  ];
}

function escapedMarkdown(text) {
  return text.replace(/[\\`*_[\]<>&!]/g, '\\$&');
}

function escapedHTML(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character]);
}
