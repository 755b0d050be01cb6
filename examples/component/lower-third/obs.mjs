// Shows the graphic with the data of the address, for some seconds each time that its source becomes active.

import LowerThird from './lower-third.mjs';

customElements.define('lower-third', LowerThird);

const { seconds = 8, ...data } = Object.fromEntries(new URLSearchParams(location.search));
const graphic = document.createElement('lower-third');
document.body.append(graphic);

async function show() {
  await graphic.playAction({ goto: 0 });
  setTimeout(() => graphic.stopAction(), seconds * 1000);
}

await graphic.load({ data, renderType: 'realtime' });
addEventListener('obsSourceActiveChanged', (event) => event.detail.active && show());
await show();
