import { expect, test } from 'vitest';
import { createQuietMode } from './quiet-mode.ts';

function openMemory(start: Record<string, string> = {}) {
  const values = new Map(Object.entries(start));
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

function visit({ isAsked = false, memory = openMemory() } = {}) {
  const asked = Object.assign(new EventTarget(), { matches: isAsked });
  const shown: boolean[] = [];
  const mode = createQuietMode({
    asked,
    openMemory: () => memory,
    show: (isQuiet) => shown.push(isQuiet),
  });
  return { asked, shown, mode, memory };
}

test('a visitor who chooses it has it, and the next page of the visit knows', () => {
  const { mode, shown, memory } = visit();
  expect(mode.getState()).toBe('off');
  mode.toggle();
  expect(mode.getState()).toBe('chosen');
  expect(shown).toEqual([false, true]);
  expect(visit({ memory }).mode.getState()).toBe('chosen');
});

test('chosen off again, nothing is left of it', () => {
  const { mode, memory } = visit();
  mode.toggle();
  mode.toggle();
  expect(mode.getState()).toBe('off');
  expect(memory.values.size).toBe(0);
});

test('what the system asks for counts at once, also when it begins to ask later', () => {
  expect(visit({ isAsked: true }).shown).toEqual([true]);
  const { mode, asked, shown } = visit();
  let told = 0;
  mode.subscribe(() => (told += 1));
  asked.matches = true;
  asked.dispatchEvent(new Event('change'));
  expect(mode.getState()).toBe('asked');
  expect(shown).toEqual([false, true]);
  expect(told).toBe(1);
});

test('where nothing can be remembered it still works for the page', () => {
  const refuse = () => {
    throw new Error('denied');
  };
  const asked = Object.assign(new EventTarget(), { matches: false });
  const mode = createQuietMode({ asked, openMemory: refuse, show: () => undefined });
  mode.toggle();
  expect(mode.getState()).toBe('chosen');
});
