/** Where the console was when its session ended, for a link that is opened in the same tab. */

const KEY = 'console-left-place';

/** Below /console, with what is searched and open. */
export function rememberPlace(place: string): void {
  try {
    sessionStorage.setItem(KEY, place);
  } catch {
    // Without storage, signing in leads to the first screen.
  }
}

/** The place, once; "/" without one. */
export function takePlace(): string {
  try {
    const place = sessionStorage.getItem(KEY) ?? '/';
    sessionStorage.removeItem(KEY);
    return place;
  } catch {
    return '/';
  }
}
