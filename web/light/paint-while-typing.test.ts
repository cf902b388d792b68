import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ownPaint } from './own-paint.ts';
import { paintWhileTyping } from './paint-while-typing.ts';

class Field {
  type = 'email';
}

let leave: AbortController;
let paints: { readonly code: string | null; readonly ms: number }[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('HTMLInputElement', Field);
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page));
  leave = new AbortController();
  paints = [];
  const paint = (code: string | null) => paints.push({ code, ms: performance.now() });
  paintWhileTyping({ paint }, leave.signal);
});

afterEach(() => {
  leave.abort();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function pressKeys(count: number, everyMs: number, field = new Field()): void {
  for (let key = 0; key < count; key += 1) {
    const event = new Event('input');
    Object.defineProperty(event, 'target', { value: field });
    dispatchEvent(event);
    vi.advanceTimersByTime(everyMs);
  }
}

const gaps = () => paints.slice(1).map(({ ms }, index) => ms - (paints[index]?.ms ?? 0));

test('paint changes while somebody types, at most three times a second, and then goes', () => {
  pressKeys(30, 90);
  expect(new Set(paints.map(({ code }) => code)).size).toBeGreaterThan(5);
  vi.advanceTimersByTime(3000);
  expect(paints.at(-1)?.code).toBeNull();
  pressKeys(3, 1);
  vi.advanceTimersByTime(3000);
  expect(Math.min(...gaps())).toBeGreaterThan(1000 / 3);
  expect(paints.at(-1)?.code).toBeNull();
});

test('other fields change nothing', () => {
  pressKeys(5, 500, Object.assign(new Field(), { type: 'search' }));
  expect(paints).toEqual([]);
});

test('a new member sees their own paint for a moment, and it stays', async () => {
  pressKeys(12, 90);
  let isShown = false;
  void ownPaint.paint?.('GH05T1GH05').then(() => {
    isShown = true;
  });
  await vi.advanceTimersByTimeAsync(450);
  expect(paints.at(-1)?.code).toBe('GH05T1GH05');
  expect(isShown).toBe(false);
  await vi.advanceTimersByTimeAsync(5000);
  expect(isShown).toBe(true);
  expect(paints.at(-1)?.code).toBe('GH05T1GH05');
  expect(Math.min(...gaps())).toBeGreaterThan(1000 / 3);
});

test('a mask that no longer turns takes no paint', () => {
  leave.abort();
  expect(ownPaint.paint).toBeNull();
  pressKeys(2, 500);
  expect(paints.map(({ code }) => code)).toEqual([null]);
});
