import { pingPongDelay, reverb } from './effects.ts';
import { air, bass, bell, breath, createNoise, kick, padVoice, snap, tick } from './instruments.ts';
import {
  addSound,
  createLoop,
  type LoopBuffer,
  mixInto,
  removeOffset,
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
  hasSnap,
  isLift,
  kickBeats,
  motifOfBar,
  padOpening,
} from './score.ts';

/** Plays the score: dry drums and bass, bells with echoes, and reverb on all that is soft. */
export function renderSoundtrack(): LoopBuffer {
  const seconds = BARS * BAR_SECONDS;
  const master = createLoop(seconds);
  const pads = createLoop(seconds);
  const bells = createLoop(seconds);
  const breaths = createLoop(seconds);
  for (let bar = 0; bar < BARS; bar++) {
    playDrums(master, breaths, bar);
    playBass(master, bar);
    playPads(pads, bar);
    playBells(bells, bar);
    playAir(breaths, bar);
  }
  shapeLoop(pads, duckedByKick);
  const echoes = pingPongDelay(bells, { delaySeconds: BEAT_SECONDS * 0.75, feedback: 0.62 });
  const send = createLoop(seconds);
  for (const [part, level] of [
    [pads, 0.5],
    [bells, 0.7],
    [echoes, 0.6],
    [breaths, 0.5],
  ] as const) {
    mixInto(master, part, 1);
    mixInto(send, part, level);
  }
  mixInto(master, echoes, 0.55);
  mixInto(master, reverb(send, { decay: 0.93 }), 0.22);
  removeOffset(master);
  softenPeaks(master);
  return master;
}

function playDrums(dry: LoopBuffer, wet: LoopBuffer, bar: number): void {
  if (!hasDrums(bar)) return;
  for (const beat of kickBeats(bar))
    addSound(dry, kick, { at: timeOf(bar, beat), lasts: 0.6, level: 0.5 });
  addSound(wet, tick(createNoise(91 + bar), 22), {
    at: timeOf(bar, 2),
    lasts: 0.25,
    level: 0.085,
    pan: 0.55,
  });
  if (hasSnap(bar))
    addSound(wet, snap(createNoise(211 + bar)), {
      at: timeOf(bar, 3),
      lasts: 0.3,
      level: 0.07,
      pan: 0.45,
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

/**
 * One chord for two bars, swelling over three so that chords overlap. As the pads open they get
 * louder, brighter and wider, from a narrow murmur to the whole stage.
 */
function playPads(pads: LoopBuffer, bar: number): void {
  if (bar % 2 === 1) return;
  const lasts = BAR_SECONDS * 3;
  const opening = padOpening(bar);
  chordOfBar(bar).voices.forEach((note, voice) => {
    const at = timeOf(bar, -2) + BARS * BAR_SECONDS;
    const sound = padVoice(note, { lasts, opening, detune: 0.0018 + 0.0016 * opening });
    const fromMiddle = (voice - 1.5) * (0.16 + 0.12 * opening);
    const level = 0.034 + 0.044 * opening;
    addSound(pads, sound, { at, lasts, level, pan: 0.5 + fromMiddle });
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

/**
 * A breath every second bar: in, then longer out. Above it the air moves from side to side, and
 * rises into the bar that brings the drums.
 */
function playAir(breaths: LoopBuffer, bar: number): void {
  if (isLift(bar))
    [0, 1].forEach((pan) => {
      const rise = air(createNoise(830 + bar * 2 + pan), { lasts: BAR_SECONDS, rises: true });
      addSound(breaths, rise, { at: timeOf(bar, 0), lasts: BAR_SECONDS, level: 0.028, pan });
    });
  if (bar % 2 === 1) return;
  const noise = createNoise(400 + bar);
  addSound(breaths, breath(noise, 1.5), { at: timeOf(bar, 2), lasts: 1.5, level: 0.05, pan: 0.35 });
  addSound(breaths, breath(noise, 2.6), {
    at: timeOf(bar, 4.5),
    lasts: 2.6,
    level: 0.075,
    pan: 0.65,
  });
  const lasts = BAR_SECONDS * 2;
  [0.15, 0.85].forEach((pan, side) => {
    const wind = air(createNoise(600 + bar * 2 + side), { lasts, rises: false });
    const level = 0.005 + 0.007 * padOpening(bar);
    addSound(breaths, wind, { at: timeOf(bar, side * 4), lasts, level, pan });
  });
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
