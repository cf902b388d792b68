import type { Sound } from './loop-buffer.ts';

const TURN = Math.PI * 2;

/** Frequency of a MIDI note in equal temperament, A4 (69) = 440 Hz. */
function frequencyOf(note: number): number {
  return 440 * 2 ** ((note - 69) / 12);
}

/** A sub bass whose overtones fade as the note goes on. */
export function bass(note: number): Sound {
  const frequency = frequencyOf(note);
  return (t) => {
    const phase = TURN * frequency * t;
    const edge = 0.65 * Math.exp(-5 * t);
    const wave = Math.sin(phase) + edge * Math.sin(2 * phase) + edge * 0.6 * Math.sin(3 * phase);
    return wave * attack(t, 0.006) * Math.exp(-3.2 * t);
  };
}

/** A kick drum whose pitch falls from 84 to 46 Hz. */
export const kick: Sound = (t) => {
  const phase = TURN * (46 * t + (38 / 20) * (1 - Math.exp(-20 * t)));
  return Math.sin(phase) * attack(t, 0.002) * Math.exp(-7.5 * t);
};

/** A glassy bell by frequency modulation; the modulation fades faster than the tone. */
export function bell(note: number): Sound {
  const frequency = frequencyOf(note);
  return (t) => {
    const bend = 2.2 * Math.exp(-7 * t) * Math.sin(TURN * frequency * 3.01 * t);
    return Math.sin(TURN * frequency * t + bend) * attack(t, 0.004) * Math.exp(-3.6 * t);
  };
}

/**
 * A soft detuned voice that swells and fades over `lasts` seconds; `opening` (0 to 1) is how many
 * of its overtones come through at the height of the swell.
 */
export function padVoice(
  note: number,
  { lasts, opening, detune }: { lasts: number; opening: number; detune: number },
): Sound {
  const frequency = frequencyOf(note);
  return (t) => {
    const swell = Math.sin((Math.PI * t) / lasts) ** 1.2;
    const brightness = 0.3 + (0.16 + 0.42 * opening) * swell;
    let sum = 0;
    for (const shift of [1 - detune, 1 + detune]) {
      const phase = TURN * frequency * shift * t;
      let strength = 1;
      for (let partial = 1; partial <= 7; partial++) {
        sum += (Math.sin(partial * phase) * strength) / partial;
        strength *= brightness;
      }
    }
    return sum * 0.5 * swell;
  };
}

/** A short tick of noise, high-passed by its first difference. */
export function tick(noise: () => number, decayPerSecond: number): Sound {
  let last = 0;
  return (t) => {
    const value = noise();
    const high = value - last;
    last = value;
    return high * Math.exp(-decayPerSecond * t);
  };
}

/** A snap: three quick claps of noise in one, the last with a tail. */
export function snap(noise: () => number): Sound {
  const hiss = tick(noise, 0);
  return (t) => {
    const clap = t < 0.024 ? Math.exp(-260 * (t % 0.012)) : Math.exp(-24 * (t - 0.024));
    return hiss(t) * clap * attack(t, 0.001);
  };
}

/** Air: high noise that comes and goes or, when it `rises`, swells towards its end. */
export function air(
  noise: () => number,
  { lasts, rises }: { lasts: number; rises: boolean },
): Sound {
  const hiss = tick(noise, 0);
  return (t) => {
    const share = t / lasts;
    const swell = rises
      ? share ** 3 * Math.min(1, (1 - share) * 40)
      : Math.sin(Math.PI * share) ** 2;
    return hiss(t) * swell;
  };
}

/** A breath through the mask: noise in a band that opens and closes. */
export function breath(noise: () => number, lasts: number): Sound {
  let low = 0;
  let band = 0;
  return (t) => {
    const swell = Math.sin((Math.PI * t) / lasts) ** 2;
    const cutoff = 0.05 + 0.1 * swell;
    // A state-variable filter: `band` is its band-pass output.
    low += cutoff * band;
    band += cutoff * (noise() - low - 0.7 * band);
    return band * swell;
  };
}

/** Seeded noise from -1 to 1 (Park-Miller), the same at every rendering. */
export function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 1_073_741_823.5 - 1;
  };
}

function attack(t: number, seconds: number): number {
  return t < seconds ? t / seconds : 1;
}
