import { useEffect, useRef } from 'react';
import { keysToTry, SEQUENCE_MS } from './shortcut-rules.ts';

type Shortcuts = Readonly<Record<string, () => void>>;

const TYPING = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="menu"]';
const STORAGE_KEY = 'console-shortcuts';

export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  useEffect(() => {
    current.current = shortcuts;
  });

  useEffect(() => {
    let pending: { key: string; at: number } | null = null;
    function handle(event: KeyboardEvent): void {
      if (event.defaultPrevented || !areShortcutsOn()) return;
      const target = event.target instanceof Element ? event.target : null;
      const first = pending && event.timeStamp - pending.at < SEQUENCE_MS ? pending.key : null;
      const keys = keysToTry(
        {
          key: event.key,
          hasModifier: event.ctrlKey || event.metaKey || event.altKey,
          isTyping:
            target?.closest(TYPING) != null || document.querySelector('dialog[open]') !== null,
        },
        first,
      );
      const last = keys.at(-1);
      pending = last === undefined ? null : { key: last, at: event.timeStamp };
      const known = keys.find((one) => Object.hasOwn(current.current, one));
      if (known === undefined) return;
      pending = null;
      event.preventDefault();
      current.current[known]?.();
    }
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
}

let isOn = readSwitch();
const listeners = new Set<() => void>();

export const areShortcutsOn = () => isOn;

/** Shortcuts of single letters can be switched off (WCAG 2.1.4): speech input types them. */
export function switchShortcuts(on: boolean): void {
  isOn = on;
  try {
    localStorage.setItem(STORAGE_KEY, on ? 'on' : 'off');
  } catch {
    // The choice holds until the page is left.
  }
  for (const listener of listeners) listener();
}

export function subscribeToSwitch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readSwitch(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}
