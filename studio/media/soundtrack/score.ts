/**
 * "Afterglow": 24 bars of 4/4 at 90 beats a minute, 64 s, A minor. Three rounds of i - VI - iv - v,
 * two bars each: the drums come in with the third bar, the second round has the motif, the third
 * breaks down and builds up.
 */
export const BEAT_SECONDS = 60 / 90;
export const BAR_SECONDS = BEAT_SECONDS * 4;
export const BARS = 24;

export type Note = { readonly beat: number; readonly note: number; readonly level: number };

type Chord = { readonly root: number; readonly voices: readonly number[] };

/** MIDI notes: Am9, Fmaj7, Dm9, Em7 with a suspended fourth. Voices move by steps. */
const CHORDS: readonly Chord[] = [
  { root: 33, voices: [57, 60, 64, 71] },
  { root: 29, voices: [57, 60, 65, 72] },
  { root: 38, voices: [57, 62, 65, 72] },
  { root: 28, voices: [59, 62, 64, 69] },
];

export function chordOfBar(bar: number): Chord {
  const chord = CHORDS[Math.floor(bar / 2) % CHORDS.length];
  if (chord === undefined) throw new Error(`No chord in bar ${bar}`);
  return chord;
}

/** The drums rest in the first two bars and in the breakdown. */
export function hasDrums(bar: number): boolean {
  return (bar >= 2 && bar < 16) || bar >= 20;
}

export function hasHats(bar: number): boolean {
  return (bar >= 4 && bar < 16) || bar >= 21;
}

/** The snap on the fourth beat joins with the motif's full round. */
export function hasSnap(bar: number): boolean {
  return (bar >= 8 && bar < 16) || bar >= 22;
}

/** Whether the next bar brings the drums: the air rises towards it. */
export function isLift(bar: number): boolean {
  return !hasDrums(bar) && hasDrums(bar + 1);
}

/**
 * How far the pads are open, 0 to 1, at the start of every fourth bar: they open towards the full
 * part, close for the breakdown and open again over the loop's end.
 */
const PAD_ARC = [0.3, 0.45, 0.7, 1, 0.35, 0.7] as const;

export function padOpening(bar: number): number {
  const at = (bar % BARS) / 4;
  const from = PAD_ARC[Math.floor(at)] ?? 0;
  const to = PAD_ARC[(Math.floor(at) + 1) % PAD_ARC.length] ?? 0;
  return from + (to - from) * (at % 1);
}

/** Beats of the kick in a bar; every second bar is syncopated. */
export function kickBeats(bar: number): readonly number[] {
  return bar % 2 === 0 ? [0, 2.5] : [0, 1.5, 3.5];
}

/** The bass walks in eighths on the root, with the octave and the fifth as accents. */
export function bassOfBar(bar: number): Note[] {
  const { root } = chordOfBar(bar);
  if (bar < 2) return [];
  if (!hasDrums(bar)) return [{ beat: 0, note: root, level: 0.9 }];
  const pattern = bar % 2 === 0 ? [0, -1, 0, 0, -1, 0, 12, -1] : [0, -1, 0, 0, -1, 7, 0, 12];
  return pattern.flatMap((step, eighth) =>
    step < 0
      ? []
      : [{ beat: eighth / 2, note: root + step, level: eighth === 0 ? 1 : step > 0 ? 0.5 : 0.72 }],
  );
}

/** The call of the ghost: a fifth up, a step back, and down; the answer leaves it open. */
const CALL: readonly Note[] = [
  { beat: 0.5, note: 76, level: 0.8 },
  { beat: 1.5, note: 83, level: 1 },
  { beat: 2.25, note: 81, level: 0.7 },
  { beat: 3, note: 76, level: 0.85 },
];
const ANSWER: readonly Note[] = [
  { beat: 0.5, note: 74, level: 0.7 },
  { beat: 1.5, note: 72, level: 0.8 },
  { beat: 3, note: 69, level: 0.9 },
];

/** Opens the loop, plays through the second round, and stands alone in the breakdown. */
export function motifOfBar(bar: number): readonly Note[] {
  if (bar === 0) return CALL;
  if (bar < 4 || bar >= 22) return [];
  if (bar < 8) return bar % 4 === 2 ? CALL.slice(0, 2) : [];
  return bar % 2 === 0 ? CALL : ANSWER;
}

/** Sixteenths of the chord, an octave up, in the full part only. */
export function arpeggioOfBar(bar: number): Note[] {
  if (bar < 10 || bar >= 16) return [];
  const { voices } = chordOfBar(bar);
  return Array.from({ length: 16 }, (_, sixteenth) => ({
    beat: sixteenth / 4,
    note: (voices[[0, 2, 1, 3, 2][sixteenth % 5] ?? 0] ?? 57) + 12,
    level: sixteenth % 4 === 0 ? 0.8 : 0.5,
  }));
}
