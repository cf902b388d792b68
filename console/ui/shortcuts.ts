import { useEffect, useRef } from 'react';
import { createBrowserMemory } from '../../web/ui/browser-memory.ts';
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
      const bound = keys.find((shortcut) => Object.hasOwn(current.current, shortcut));
      if (bound === undefined) return;
      pending = null;
      event.preventDefault();
      current.current[bound]?.();
    }
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
}

const memory = createBrowserMemory(() => localStorage);
const listeners = new Set<() => void>();

export const areShortcutsOn = () => memory.read(STORAGE_KEY) !== 'off';

/** Shortcuts of single letters can be switched off (WCAG 2.1.4): speech input types them. */
export function switchShortcuts(on: boolean): void {
  memory.write(STORAGE_KEY, on ? 'on' : 'off');
  for (const listener of listeners) listener();
}

export function subscribeToSwitch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
