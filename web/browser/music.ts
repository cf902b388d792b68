/** `generation` guards against late promises that would un-mute. */

// Numbers of docs/behaviour.md 9.
export const MUSIC_VOLUME = 0.4;
const AUTOPLAY_DELAY_MS = 1000;
const PREVIEW_MS = 2000;
const PAUSE_MS = 500;

const GESTURES = ['click', 'touchend', 'keydown'] as const;

type MusicState = 'idle' | 'trying' | 'preview' | 'pause' | 'playing' | 'armed' | 'off';

const SOUNDING: readonly MusicState[] = ['preview', 'pause', 'playing'];

export type MusicEnvironment = {
  /** Called at the first attempt, so that no byte of music is fetched before. */
  readonly openAudio: () => Pick<HTMLAudioElement, 'play' | 'pause' | 'currentTime'>;
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;
  readonly memory: { isMuted(): boolean; setMuted(isMuted: boolean): void };
  readonly isSavingData: () => boolean;
  /** Armed music ignores gestures on the toggle, which decides for itself. */
  readonly isToggle: (target: EventTarget | null) => boolean;
  readonly onBlocked: () => void;
};

export type Music = ReturnType<typeof createMusic>;

export function createMusic(environment: MusicEnvironment) {
  const listeners = new Set<() => void>();
  let state: MusicState = 'idle';
  let generation = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let audio: ReturnType<MusicEnvironment['openAudio']> | null = null;
  let isSuspended = false;
  let isStarted = false;

  environment.document.addEventListener('visibilitychange', onVisibilityChange);
  environment.document.addEventListener('play', onOtherMedia, { capture: true });

  function enter(next: MusicState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function clear(): void {
    generation += 1;
    isSuspended = false;
    clearTimeout(timer);
    for (const type of GESTURES)
      environment.document.removeEventListener(type, playOnGesture, { capture: true });
  }

  function silence(next: MusicState): void {
    clear();
    audio?.pause();
    enter(next);
  }

  function after(delayMs: number, run: () => void): void {
    timer = setTimeout(run, delayMs);
  }

  async function play(): Promise<'played' | 'blocked' | 'broken' | 'stale'> {
    const mine = generation;
    audio ??= environment.openAudio();
    try {
      await audio.play();
    } catch (error) {
      if (mine !== generation) return 'stale';
      if (!(error instanceof Error) || error.name !== 'NotSupportedError') return 'blocked';
      // The next attempt fetches the music again.
      audio = null;
      return 'broken';
    }
    if (mine === generation) return 'played';
    if (!SOUNDING.includes(state)) audio.pause();
    return 'stale';
  }

  async function tryAutoplay(): Promise<void> {
    if (environment.document.visibilityState === 'hidden') return;
    enter('trying');
    const outcome = await play();
    if (outcome === 'played') preview();
    else giveUp(outcome);
  }

  function preview(): void {
    enter('preview');
    after(PREVIEW_MS, () => {
      audio?.pause();
      enter('pause');
      after(PAUSE_MS, () => void resume());
    });
  }

  async function resume(): ReturnType<typeof play> {
    const outcome = await play();
    if (outcome === 'played') enter('playing');
    else giveUp(outcome);
    return outcome;
  }

  function giveUp(outcome: 'blocked' | 'broken' | 'stale'): void {
    if (outcome === 'broken') silence('off');
    if (outcome !== 'blocked') return;
    clear();
    enter('armed');
    for (const type of GESTURES)
      environment.document.addEventListener(type, playOnGesture, { capture: true });
    environment.onBlocked();
  }

  /** Gestures that the browser does not count (Tab, scrolling) leave the music armed. */
  async function playOnGesture({ target }: Event): Promise<void> {
    if (environment.isToggle(target)) return;
    const outcome = await play();
    if (outcome === 'broken') return silence('off');
    if (outcome !== 'played' || state !== 'armed') return;
    clear();
    enter('playing');
  }

  function onVisibilityChange(): void {
    if (environment.document.visibilityState === 'hidden') {
      if (state === 'trying') silence('idle');
      if (!SOUNDING.includes(state)) return;
      silence('playing');
      isSuspended = true;
    } else if (isSuspended) {
      isSuspended = false;
      void resume();
    } else if (isStarted && state === 'idle') {
      clearTimeout(timer);
      after(AUTOPLAY_DELAY_MS, () => void tryAutoplay());
    }
  }

  function onOtherMedia(): void {
    if (state !== 'off') silence('off');
  }

  return {
    /** Idempotent: one attempt follows, however often the page is shown. */
    start(): void {
      if (isStarted || state !== 'idle') return;
      isStarted = true;
      if (environment.memory.isMuted() || environment.isSavingData()) enter('off');
      else after(AUTOPLAY_DELAY_MS, () => void tryAutoplay());
    },
    /** Resolves to false where the music cannot be had. */
    async toggle(): Promise<boolean> {
      const isTurningOff = SOUNDING.includes(state);
      environment.memory.setMuted(isTurningOff);
      if (isTurningOff) silence('off');
      else {
        clear();
        enter('playing');
      }
      return isTurningOff || (await resume()) !== 'broken';
    },
    isOn: () => SOUNDING.includes(state),
    isArmed: () => state === 'armed',
    elapsedSeconds: () => audio?.currentTime ?? 0,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
