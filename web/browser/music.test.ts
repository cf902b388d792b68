import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createMusic } from './music.ts';

/** An audio element that plays when it is allowed to, or when the test says so. */
class FakeAudio {
  isSounding = false;
  currentTime = 0;
  plays = 0;
  answer: () => Promise<void> = async () => undefined;
  async play(): Promise<void> {
    this.plays += 1;
    await this.answer();
    this.isSounding = true;
  }
  pause(): void {
    this.isSounding = false;
  }
}

class FakeDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
}

function open({ isMuted = false, isSavingData = false } = {}) {
  const audio = new FakeAudio();
  const document = new FakeDocument();
  const seen = { isMuted, blocked: 0, opened: 0, isOnToggle: false };
  const music = createMusic({
    openAudio() {
      seen.opened += 1;
      return audio;
    },
    document: document as unknown as Document,
    memory: {
      isMuted: () => seen.isMuted,
      setMuted(value) {
        seen.isMuted = value;
      },
    },
    isSavingData: () => isSavingData,
    isToggle: () => seen.isOnToggle,
    onBlocked() {
      seen.blocked += 1;
    },
  });
  function setVisibility(visibilityState: DocumentVisibilityState): void {
    document.visibilityState = visibilityState;
    document.dispatchEvent(new Event('visibilitychange'));
  }
  return { audio, document, seen, music, setVisibility };
}

const blocked = () => Promise.reject(new DOMException('gesture first', 'NotAllowedError'));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('music that may play', () => {
  test('waits 1 s, previews 2 s, pauses 500 ms and plays on', async () => {
    const { audio, music, seen } = open();
    music.start();
    await pass(999);
    expect(seen.opened).toBe(0);
    await pass(1);
    expect([audio.isSounding, music.isOn()]).toEqual([true, true]);
    await pass(1999);
    expect(audio.isSounding).toBe(true);
    await pass(1);
    expect([audio.isSounding, music.isOn()]).toEqual([false, true]);
    await pass(499);
    expect(audio.isSounding).toBe(false);
    await pass(1);
    expect(audio.isSounding).toBe(true);
    expect(seen.blocked).toBe(0);
  });

  test.each([1500, 3200, 9000])(
    'is off and remembered when toggled after %i ms, for good',
    async (ms) => {
      const { audio, music, seen } = open();
      music.start();
      await pass(ms);
      music.toggle();
      await pass(60_000);
      expect([audio.isSounding, music.isOn(), seen.isMuted]).toEqual([false, false, true]);
    },
  );

  test('is not un-muted by a promise that comes late', async () => {
    const { audio, music } = open();
    const late = Promise.withResolvers<void>();
    audio.answer = () => late.promise;
    music.toggle();
    music.toggle();
    late.resolve();
    await pass(10_000);
    expect([audio.isSounding, music.isOn()]).toEqual([false, false]);
  });

  test('is silent in a hidden tab and plays on when it is seen again', async () => {
    const { audio, music, setVisibility } = open();
    music.start();
    await pass(1500);
    setVisibility('hidden');
    await pass(60_000);
    expect(audio.isSounding).toBe(false);
    setVisibility('visible');
    await pass(0);
    expect([audio.isSounding, music.isOn()]).toEqual([true, true]);
  });

  test('gives way to a film that starts', async () => {
    const { audio, document, music } = open();
    music.start();
    await pass(5000);
    document.dispatchEvent(new Event('play'));
    await pass(60_000);
    expect([audio.isSounding, music.isOn()]).toEqual([false, false]);
  });
});

describe('no attempt is made', () => {
  test.each([{ isMuted: true }, { isSavingData: true }])('with %o', async (options) => {
    const { music, seen } = open(options);
    music.start();
    await pass(60_000);
    expect(seen.opened).toBe(0);
  });

  test('in a tab that was opened hidden, until it is seen', async () => {
    const { music, seen, setVisibility } = open();
    setVisibility('hidden');
    music.start();
    await pass(60_000);
    expect(seen.opened).toBe(0);
    setVisibility('visible');
    await pass(1000);
    expect(seen.opened).toBe(1);
  });

  test('on a page that does not try, but the toggle works there', async () => {
    const { audio, music, seen } = open({ isMuted: true });
    await pass(60_000);
    expect(seen.opened).toBe(0);
    music.toggle();
    await pass(0);
    expect([audio.isSounding, seen.isMuted]).toEqual([true, false]);
  });
});

describe('music that was blocked', () => {
  async function openBlocked() {
    const opened = open();
    opened.audio.answer = blocked;
    opened.music.start();
    await pass(1000);
    return opened;
  }

  test('says so once and is off', async () => {
    const { music, seen } = await openBlocked();
    await pass(60_000);
    expect([seen.blocked, music.isOn(), music.isArmed()]).toEqual([1, false, true]);
  });

  test.each(['click', 'touchend', 'keydown'])(
    'plays at the first %s that the browser counts',
    async (type) => {
      const { audio, document, music } = await openBlocked();
      document.dispatchEvent(new Event(type));
      await pass(0);
      expect(music.isOn()).toBe(false);
      audio.answer = async () => undefined;
      document.dispatchEvent(new Event(type));
      await pass(0);
      expect([audio.isSounding, music.isOn(), music.isArmed()]).toEqual([true, true, false]);
      const { plays } = audio;
      document.dispatchEvent(new Event(type));
      await pass(0);
      expect(audio.plays).toBe(plays);
    },
  );

  test('leaves a gesture on the toggle to the toggle', async () => {
    const { audio, document, music, seen } = await openBlocked();
    audio.answer = async () => undefined;
    seen.isOnToggle = true;
    document.dispatchEvent(new Event('click'));
    await pass(0);
    expect(music.isOn()).toBe(false);
    music.toggle();
    await pass(0);
    expect(audio.isSounding).toBe(true);
  });
});

test('music that cannot be had is off, without a word', async () => {
  const { audio, music, seen } = open();
  audio.answer = () => Promise.reject(new DOMException('gone', 'NotSupportedError'));
  music.start();
  await pass(60_000);
  expect([music.isOn(), seen.blocked]).toEqual([false, 0]);
});

test('music that cannot be had says so when it is turned on, and is fetched again', async () => {
  const { audio, music, seen } = open();
  audio.answer = () => Promise.reject(new DOMException('gone', 'NotSupportedError'));
  for (const tries of [1, 2]) {
    expect(await music.toggle()).toBe(false);
    expect([music.isOn(), seen.opened]).toEqual([false, tries]);
  }
  audio.answer = async () => undefined;
  expect(await music.toggle()).toBe(true);
  expect([music.isOn(), audio.isSounding]).toEqual([true, true]);
});
