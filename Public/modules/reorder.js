/** Pixels that a pointer may move before a press on a handle becomes a drag. */
const slack = 4;

/** Pixels from an edge of the view within which the list scrolls, and its fastest step a frame. */
const edge = 48;
const fastest = 14;

/**
 * Lets people drag the items of a list to other places by their handles. A line shows where an item
 * lands; Escape leaves it where it was.
 *
 * @param list an element whose children are the items, each with a handle that matches `handles`.
 *   While one is dragged the list has the class `sorting` and the item `dragged`.
 * @param moved called with the item's index and the one that it has dropped to.
 */
export function makeSortable(list, { handles, moved }) {
  list.addEventListener('pointerdown', (event) => {
    const handle = event.button === 0 && event.isPrimary && event.target.closest(handles);
    if (!handle) return;
    // Neither does a drag select text, nor does it take the focus away.
    event.preventDefault();
    new Drag(list, handle, event, moved);
  });
}

/** One drag, from the press to the release. */
class Drag {
  #list;
  #items;
  #item;
  #line = document.createElement('li');
  #scroller;
  /** Where the item was taken, in pixels from its top. */
  #grip;
  #startY;
  #pointerY;
  /** The index at which the item would land. */
  #target;
  #isMoving = false;
  #frame = 0;
  /** Ends what the drag listens to. */
  #over = new AbortController();

  constructor(list, handle, { pointerId, clientY }, moved) {
    this.#list = list;
    this.#items = [...list.children];
    this.#item = this.#items.find((item) => item.contains(handle));
    this.#target = this.#index;
    this.#startY = this.#pointerY = clientY;
    this.#scroller = scrollerOf(list);
    this.#line.className = 'drop-line';
    this.#line.setAttribute('aria-hidden', 'true');

    const { signal } = this.#over;
    handle.setPointerCapture(pointerId);
    handle.addEventListener('pointermove', (event) => this.#follow(event.clientY), { signal });
    handle.addEventListener('pointerup', () => {
      const from = this.#index;
      const to = this.#target;
      this.#end();
      if (to !== from) moved(from, to);
    }, { signal });
    handle.addEventListener('lostpointercapture', () => this.#end(), { signal });
    addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      this.#end();
    }, { signal, capture: true });
  }

  get #index() {
    return this.#items.indexOf(this.#item);
  }

  #follow(y) {
    this.#pointerY = y;
    if (this.#isMoving) {
      this.#show();
    } else if (Math.abs(y - this.#startY) > slack) {
      this.#begin();
    }
  }

  #begin() {
    this.#grip = this.#startY - this.#item.getBoundingClientRect().top;
    this.#isMoving = true;
    this.#list.classList.add('sorting');
    this.#item.classList.add('dragged');
    this.#list.append(this.#line);
    this.#show();
    this.#scroll();
  }

  /** Moves the item to the pointer, and the line to where it would land. */
  #show() {
    const { top } = this.#list.getBoundingClientRect();
    const y = this.#pointerY - top - this.#grip;
    this.#item.style.setProperty('--drag', `${y - this.#item.offsetTop}px`);
    const middle = y + this.#item.offsetHeight / 2;
    const others = this.#items.filter((item) => item !== this.#item);
    const next = others.findIndex((item) => middle < item.offsetTop + item.offsetHeight / 2);
    this.#target = next < 0 ? others.length : next;
    const before = others[this.#target - 1];
    const after = others[this.#target];
    const [end, start] = [before && before.offsetTop + before.offsetHeight, after?.offsetTop];
    this.#line.style.setProperty('--place', `${((end ?? start) + (start ?? end)) / 2}px`);
    this.#line.hidden = this.#target === this.#index;
  }

  /** Scrolls while the pointer is near an edge of what is in view. */
  #scroll() {
    const { top, bottom } = viewOf(this.#scroller);
    const y = this.#pointerY;
    const step = y < top + edge ? y - top - edge : y > bottom - edge ? y - bottom + edge : 0;
    if (step !== 0) {
      this.#scroller.scrollTop += Math.max(-fastest, Math.min(fastest, step / 3));
      this.#show();
    }
    this.#frame = requestAnimationFrame(() => this.#scroll());
  }

  #end() {
    this.#over.abort();
    cancelAnimationFrame(this.#frame);
    this.#list.classList.remove('sorting');
    this.#item.classList.remove('dragged');
    this.#item.style.removeProperty('--drag');
    this.#line.remove();
  }
}

/** Returns the element that scrolls a list. */
function scrollerOf(list) {
  for (let one = list.parentElement; one; one = one.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(one).overflowY)) return one;
  }
  return document.scrollingElement;
}

/** Returns the top and the bottom of what a scroller shows, without what lies over it. */
function viewOf(scroller) {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(scroller);
  const isPage = scroller === document.scrollingElement;
  const { top, bottom } = isPage ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
  return {
    top: top + (parseFloat(scrollPaddingTop) || 0),
    bottom: bottom - (parseFloat(scrollPaddingBottom) || 0),
  };
}
