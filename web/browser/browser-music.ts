/** The music of this document: one for all its pages, fetched apart from them. */
import aacUrl from '../../brand/media/soundtrack.m4a';
import opusUrl from '../../brand/media/soundtrack.opus';
import { toasts } from '../toasts.ts';
import { toastStore } from '../ui/toast/toast-store.ts';
import { createMusic, MUSIC_VOLUME } from './music.ts';
import { isSavingData } from './saving-data.ts';

/** For the visit alone: local storage has two keys and no third (SPEC 3). */
const MUTED_KEY = 'waitlist.music-muted';

export const browserMusic = createMusic({
  openAudio,
  document,
  memory: { isMuted, setMuted },
  isSavingData,
  isToggle: (target) => target instanceof Element && target.closest('[data-music-toggle]') !== null,
  onBlocked: () => toastStore.show(toasts.musicBlocked),
});

function openAudio(): HTMLAudioElement {
  const audio = new Audio();
  audio.preload = 'none';
  audio.loop = true;
  audio.volume = MUSIC_VOLUME;
  audio.src = audio.canPlayType('audio/ogg; codecs=opus') ? opusUrl : aacUrl;
  // iOS: mixes with what the visitor listens to, and respects the silent switch.
  if ('audioSession' in navigator) (navigator.audioSession as { type: string }).type = 'ambient';
  return audio;
}

function isMuted(): boolean {
  try {
    return sessionStorage.getItem(MUTED_KEY) !== null;
  } catch {
    return false;
  }
}

function setMuted(value: boolean): void {
  try {
    if (value) sessionStorage.setItem(MUTED_KEY, 'yes');
    else sessionStorage.removeItem(MUTED_KEY);
  } catch {
    // Not remembered then.
  }
}
