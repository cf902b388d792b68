/** Events for the inline script of the page (deferred-entry.ts). */

export const MISSING_CODE = 'missingcode';

/** The notice that scripts/build/document.ts writes into every page. */
export const NOTICE_ID = 'missing-code';

/** After this time a page that only says that it loads would seem broken. */
export const MAX_SILENCE_MS = 8000;

export function reportMissingCode(): void {
  dispatchEvent(new Event(MISSING_CODE));
}

export function endMissingCode(): void {
  document.querySelector('template')?.remove();
  document.getElementById(NOTICE_ID)?.setAttribute('hidden', '');
}
