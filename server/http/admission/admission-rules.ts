/** Who is let in while more visitors ask than can be served. */

/**
 * Requests that may be under way at once. Everybody else would wait for longer than a second on a small machine, and on any machine
 * a thousand visitors who come at the same moment are let in.
 */
const MOST_UNDER_WAY = 1024;
/** On top, for whoever looks after the server: it must not be taken for dead because it is busy. */
const MOST_RESERVED = 64;
const RESERVED_PATH = /^\/(healthz|readyz|metrics|operator\/)/;

/** Whether one more request may begin; `url` as it stands in its first line. */
export function isAdmitted({ underWay, url }: { readonly underWay: number; readonly url: string }): boolean {
  if (underWay < MOST_UNDER_WAY) return true;
  return underWay < MOST_UNDER_WAY + MOST_RESERVED && RESERVED_PATH.test(url);
}
