import { fromQuery, toQuery } from './request.js';

/**
 * The page's address carries the whole request behind `#`, where neither the server's limit on
 * targets nor its log reaches it.
 */
export function requestInAddress() {
  const request = fromQuery(location.hash.slice(1));
  return Object.keys(request).length ? request : null;
}

/** Writes a request into the address without a step in the history. */
export function keepInAddress(request) {
  history.replaceState(null, '', `#${toQuery(request)}`);
}

/** Calls back when someone follows or types another address of this page. */
export function watchAddress(changed) {
  addEventListener('hashchange', () => changed(requestInAddress()));
}
