import { useEffect, useState, useSyncExternalStore } from 'react';
import aacUrl from '../../brand/media/soundtrack.m4a';
import opusUrl from '../../brand/media/soundtrack.opus';
import { toasts } from '../toasts.ts';
import { toastStore } from '../ui/toast/toast-store.ts';
import { createMusic, MUSIC_VOLUME, type Music } from './music.ts';
import { isSavingData } from './saving-data.ts';

/** Marks the button that toggles the music. */
export const MUSIC_TOGGLE_ATTRIBUTE = 'data-music-toggle';

/** For the visit alone: local storage has two keys and no third (SPEC 3). */
const MUTED_KEY = 'waitlist.music-muted';

/** Background music for as long as the component is shown. Off in the first render, as in the served page. */
export function useMusic(): { readonly isOn: boolean; readonly toggle: () => void } {
  const [music] = useState(createBrowserMusic);
  const isOn = useSyncExternalStore(music.subscribe, music.isOn, () => false);
  useEffect(() => {
    music.start();
    return music.stop;
  }, [music]);
  return { isOn, toggle: music.toggle };
}

/** Also runs in the prerender, so it touches the browser only when called upon. */
function createBrowserMusic(): Music {
  return createMusic({
    openAudio,
    get document() {
      return document;
    },
    memory: { isMuted, setMuted },
    isSavingData,
    isToggle: (target) => target instanceof Element && target.closest(`[${MUSIC_TOGGLE_ATTRIBUTE}]`) !== null,
    onBlocked: () => toastStore.show(toasts.musicBlocked),
  });
}

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
