/** Tells the inline script of the page (deferred-entry.ts) whether the page's code has arrived. */

/** Of an event of the window: a chunk could not be fetched. */
export const MISSING_CODE = 'missingcode';

/** The notice that scripts/build/document.ts writes into every page. */
export const NOTICE_ID = 'missing-code';

export function reportMissingCode(): void {
  dispatchEvent(new Event(MISSING_CODE));
}

/** Call when the code has arrived, even late. */
export function endMissingCode(): void {
  document.querySelector('template')?.remove();
  document.getElementById(NOTICE_ID)?.setAttribute('hidden', '');
}
