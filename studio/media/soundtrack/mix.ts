import { pingPongDelay, reverb } from './effects.ts';
import { bass, bell, breath, createNoise, kick, padVoice, tick } from './instruments.ts';
import {
  addSound,
  createLoop,
  type LoopBuffer,
  mixInto,
  shapeLoop,
  softenPeaks,
} from './loop-buffer.ts';
import {
  arpeggioOfBar,
  BAR_SECONDS,
  BARS,
  BEAT_SECONDS,
  bassOfBar,
  chordOfBar,
  hasDrums,
  hasHats,
  kickBeats,
  motifOfBar,
} from './score.ts';

/** Plays the score: dry drums and bass, bells with echoes, and reverb on all that is soft. */
export function renderSoundtrack(): LoopBuffer {
  const seconds = BARS * BAR_SECONDS;
  const master = createLoop(seconds);
  const pads = createLoop(seconds);
  const bells = createLoop(seconds);
  const air = createLoop(seconds);
  for (let bar = 0; bar < BARS; bar++) {
    playDrums(master, air, bar);
    playBass(master, bar);
    playPads(pads, bar);
    playBells(bells, bar);
    playAir(air, bar);
  }
  shapeLoop(pads, duckedByKick);
  const echoes = pingPongDelay(bells, { delaySeconds: BEAT_SECONDS * 0.75, feedback: 0.62 });
  const send = createLoop(seconds);
  for (const [part, level] of [
    [pads, 0.5],
    [bells, 0.7],
    [echoes, 0.6],
    [air, 0.5],
  ] as const) {
    mixInto(master, part, 1);
    mixInto(send, part, level);
  }
  mixInto(master, echoes, 0.55);
  mixInto(master, reverb(send, { decay: 0.93 }), 0.22);
  softenPeaks(master);
  return master;
}

function playDrums(dry: LoopBuffer, air: LoopBuffer, bar: number): void {
  if (!hasDrums(bar)) return;
  for (const beat of kickBeats(bar))
    addSound(dry, kick, { at: timeOf(bar, beat), lasts: 0.6, level: 0.5 });
  addSound(air, tick(createNoise(91 + bar), 22), {
    at: timeOf(bar, 2),
    lasts: 0.25,
    level: 0.085,
    pan: 0.55,
  });
  if (!hasHats(bar)) return;
  for (let eighth = 0; eighth < 8; eighth++) {
    const isOffbeat = eighth % 2 === 1;
    addSound(dry, tick(createNoise(7 + bar * 8 + eighth), isOffbeat ? 55 : 110), {
      at: timeOf(bar, eighth / 2),
      lasts: 0.1,
      level: isOffbeat ? 0.05 : 0.028,
      pan: isOffbeat ? 0.62 : 0.42,
    });
  }
}

function playBass(dry: LoopBuffer, bar: number): void {
  for (const { beat, note, level } of bassOfBar(bar)) {
    addSound(dry, bass(note), { at: timeOf(bar, beat), lasts: 1.6, level: level * 0.3 });
  }
}

/** One chord for two bars, swelling over three so that chords overlap. */
function playPads(pads: LoopBuffer, bar: number): void {
  if (bar % 2 === 1) return;
  const lasts = BAR_SECONDS * 3;
  chordOfBar(bar).voices.forEach((note, voice) => {
    const at = timeOf(bar, -2) + BARS * BAR_SECONDS;
    addSound(pads, padVoice(note, lasts), { at, lasts, level: 0.062, pan: 0.2 + voice * 0.2 });
  });
}

function playBells(bells: LoopBuffer, bar: number): void {
  for (const { beat, note, level } of motifOfBar(bar)) {
    addSound(bells, bell(note), {
      at: timeOf(bar, beat),
      lasts: 2,
      level: level * 0.115,
      pan: 0.45,
    });
  }
  for (const { beat, note, level } of arpeggioOfBar(bar)) {
    addSound(bells, bell(note), {
      at: timeOf(bar, beat),
      lasts: 0.5,
      level: level * 0.032,
      pan: 0.7,
    });
  }
}

/** A breath every second bar: in, then longer out. */
function playAir(air: LoopBuffer, bar: number): void {
  if (bar % 2 === 1) return;
  const noise = createNoise(400 + bar);
  addSound(air, breath(noise, 1.5), { at: timeOf(bar, 2), lasts: 1.5, level: 0.05, pan: 0.35 });
  addSound(air, breath(noise, 2.6), { at: timeOf(bar, 4.5), lasts: 2.6, level: 0.075, pan: 0.65 });
}

/** Side-chain: the kick ducks the pads for 0.3 s. */
function duckedByKick(seconds: number): number {
  const bar = Math.floor(seconds / BAR_SECONDS);
  if (!hasDrums(bar)) return 1;
  const beat = (seconds - bar * BAR_SECONDS) / BEAT_SECONDS;
  const last = kickBeats(bar).findLast((kickBeat) => kickBeat <= beat) ?? 0;
  const since = (beat - last) * BEAT_SECONDS;
  return 1 - 0.45 * Math.min(1, since / 0.01) * Math.exp(-since / 0.12);
}

function timeOf(bar: number, beat: number): number {
  return bar * BAR_SECONDS + beat * BEAT_SECONDS;
}
