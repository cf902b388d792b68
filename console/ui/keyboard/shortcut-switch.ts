/**
 * Shortcuts of single letters can be switched off (WCAG 2.1.4): speech input types them by
 * accident. Remembered in this browser.
 */
const KEY = 'console-shortcuts';

let isOn = read();
const listeners = new Set<() => void>();

export const areShortcutsOn = () => isOn;

export function switchShortcuts(on: boolean): void {
  isOn = on;
  try {
    localStorage.setItem(KEY, on ? 'on' : 'off');
  } catch {
    // It holds until the page is left.
  }
  for (const listener of listeners) listener();
}

export function subscribeToSwitch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}
