// A player of its own: a button, a slider, and a choice of rates.

const card = document.querySelector('#played');
const [play, time, rate, state] = ['play', 'time', 'rate', 'state'].map((id) => document.getElementById(id));

function show() {
  play.textContent = card.paused ? 'Play' : 'Pause';
  time.value = card.currentTime / card.duration || 0;
  if (!card.paused) requestAnimationFrame(show);
}

for (const [event, text] of [
  ['ready', 'ready'], ['play', 'plays'], ['pause', 'paused'], ['finish', 'has finished'],
]) {
  card.addEventListener(event, () => {
    state.textContent = text;
    show();
  });
}
card.addEventListener('error', (event) => {
  state.textContent = event.message;
});

play.addEventListener('click', () => {
  if (card.paused) card.play();
  else card.pause();
});
time.addEventListener('input', () => {
  const instant = time.value * card.duration;
  card.pause();
  card.seek(instant);
});
rate.addEventListener('change', () => {
  card.playbackRate = Number(rate.value);
});
play.disabled = false;
show();
