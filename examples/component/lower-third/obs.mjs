// Shows the graphic with the data of the address, for some seconds each time that its source becomes active. With `listen`, a
// language, it stays, and shows what is said.

import { listen } from './listen.mjs';
import LowerThird from './lower-third.mjs';

customElements.define('lower-third', LowerThird);

const { listen: language, seconds = language === undefined ? 8 : Infinity, ...data }
  = Object.fromEntries(new URLSearchParams(location.search));
const graphic = document.createElement('lower-third');
document.body.append(graphic);

async function show() {
  await graphic.playAction({ goto: 0 });
  if (seconds < Infinity) setTimeout(() => graphic.stopAction(), seconds * 1000);
}

await graphic.load({ data, renderType: 'realtime' });
addEventListener('obsSourceActiveChanged', (event) => event.detail.active && show());
await show();
if (language !== undefined) listen(graphic, language);
