/** Whether somebody is at the console: a page that polls for nobody keeps no session open. */

/** It is longer than between two polls, so that one of them reports the last movement. */
const AWAY_AFTER_MS = 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'touchstart'] as const;

let lastSeen = Date.now();

export function watchAttention(page: EventTarget): void {
  for (const sign of SIGNS)
    page.addEventListener(sign, noteAttention, { capture: true, passive: true });
}

export function noteAttention(): void {
  lastSeen = Date.now();
}

export function isUnattended(): boolean {
  return Date.now() - lastSeen > AWAY_AFTER_MS;
}
