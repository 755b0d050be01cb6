/** Makes a card with attributes. */
export function cardOf(attributes) {
  const card = document.createElement('title-card');
  for (const [name, value] of Object.entries(attributes)) card.setAttribute(name, value);
  return card;
}

/** What a card has come to: settles once it is drawn, or cannot be. */
export function drawn(card) {
  return new Promise((resolve, reject) => {
    card.addEventListener('ready', resolve, { once: true });
    card.addEventListener('error', (event) => reject(new Error(event.message)), { once: true });
  });
}
