/** Share sheets and clipboards of some devices never answer: docs/behaviour.md 9. */
const PATIENCE_MS = 5000;

/** Resolves after 5 s, or when `returning` gets the focus back. */
export function losePatience(returning?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
    returning?.addEventListener('focus', () => resolve(), { once: true });
  });
}
