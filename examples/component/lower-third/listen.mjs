/**
 * Has a graphic say what is heard: by the browser's own recogniser in a language, where there is one, and by any other page of this
 * origin, such as a dock of OBS's, that posts `{ word }` to the channel `captions`.
 */
export function listen(graphic, lang) {
  new BroadcastChannel('captions').onmessage = ({ data: { word, at } }) => graphic.say(word, at);
  const Recognition = globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition;
  if (!Recognition) return;
  const recognition = Object.assign(new Recognition(), { lang, continuous: true, interimResults: true });
  /** How many words of each result are said. */
  let said = [];
  recognition.onresult = ({ resultIndex, results }) => {
    for (let index = resultIndex; index < results.length; index += 1) {
      const words = results[index][0].transcript.split(/\s+/).filter(Boolean);
      // The last word may become another one until its result is final.
      const count = results[index].isFinal ? words.length : words.length - 1;
      for (const word of words.slice(said[index] ?? 0, Math.max(count, 0))) graphic.say(word);
      said[index] = Math.max(said[index] ?? 0, count);
    }
  };
  // It ends by itself after a silence.
  let isAllowed = true;
  recognition.onerror = ({ error }) => {
    if (error.endsWith('not-allowed')) isAllowed = false;
  };
  recognition.onend = () => {
    said = [];
    if (isAllowed) recognition.start();
  };
  recognition.start();
}
