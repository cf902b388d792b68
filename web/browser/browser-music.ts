/** The music of this document, shared by all its pages. A chunk of its own. */
import aacUrl from '../../brand/media/soundtrack.m4a';
import opusUrl from '../../brand/media/soundtrack.opus';
import { toasts } from '../toasts.ts';
import { tabMemory } from '../ui/browser-memory.ts';
import { toastStore } from '../ui/toast/toast-store.ts';
import { createMusic, MUSIC_VOLUME, type Music } from './music.ts';
import { isSavingData } from './saving-data.ts';

const MUTED_KEY = 'waitlist.music-muted';
const HINTED_KEY = 'waitlist.music-hinted';

export const browserMusic: Music = createMusic({
  openAudio,
  document,
  memory: {
    isMuted: () => tabMemory.read(MUTED_KEY) !== null,
    setMuted: (isMuted) => tabMemory.write(MUTED_KEY, isMuted ? 'yes' : null),
  },
  isSavingData,
  isToggle: (target) => target instanceof Element && target.closest('[data-music-toggle]') !== null,
  // A hint replaces no other toast, is pointless once the music plays, and comes once a session.
  onBlocked: () =>
    toastStore.showNext(toasts.musicBlocked, () => {
      const isWanted = browserMusic.isArmed() && tabMemory.read(HINTED_KEY) === null;
      if (isWanted) tabMemory.write(HINTED_KEY, 'yes');
      return isWanted;
    }),
});

function openAudio(): HTMLAudioElement {
  const audio = new Audio();
  audio.preload = 'none';
  audio.loop = true;
  audio.volume = MUSIC_VOLUME;
  audio.src = audio.canPlayType('audio/ogg; codecs=opus') ? opusUrl : aacUrl;
  // Mixes with other sound on iOS, and respects the silent switch.
  if ('audioSession' in navigator) (navigator.audioSession as { type: string }).type = 'ambient';
  return audio;
}
