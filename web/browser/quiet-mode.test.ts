import { expect, test, vi } from 'vitest';
import { createBrowserMemory } from '../ui/browser-memory.ts';
import { createQuietMode } from './quiet-mode.ts';

function visit({ isAsked = false, values = new Map<string, string>() } = {}) {
  const asked = Object.assign(new EventTarget(), { matches: isAsked });
  const shown: boolean[] = [];
  const mode = createQuietMode({
    asked,
    memory: createBrowserMemory(() => ({
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
      removeItem: (key) => void values.delete(key),
    })),
    show: (isQuiet) => shown.push(isQuiet),
  });
  return { asked, shown, mode, values };
}

test('a visitor who chooses it has it, and the next page of the visit knows', () => {
  const { mode, shown, values } = visit();
  expect(mode.getState()).toBe('off');
  mode.toggle();
  expect(mode.getState()).toBe('chosen');
  expect(shown).toEqual([false, true]);
  expect(visit({ values }).mode.getState()).toBe('chosen');
});

test('chosen off again, nothing is left of it', () => {
  const { mode, values } = visit();
  mode.toggle();
  mode.toggle();
  expect(mode.getState()).toBe('off');
  expect(values.size).toBe(0);
});

test('what the system asks for counts at once, also when it begins to ask later', () => {
  expect(visit({ isAsked: true }).shown).toEqual([true]);
  const { mode, asked, shown } = visit();
  const listener = vi.fn();
  mode.subscribe(listener);
  asked.matches = true;
  asked.dispatchEvent(new Event('change'));
  expect(mode.getState()).toBe('asked');
  expect(shown).toEqual([false, true]);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('where storage is refused it still works for the page', () => {
  const memory = createBrowserMemory(() => {
    throw new Error('denied');
  });
  const asked = Object.assign(new EventTarget(), { matches: false });
  const mode = createQuietMode({ asked, memory, show: () => undefined });
  mode.toggle();
  expect(mode.getState()).toBe('chosen');
  mode.toggle();
  expect(mode.getState()).toBe('off');
});
