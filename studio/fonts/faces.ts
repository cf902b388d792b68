import type { DotRows } from './draw-in-dots.ts';

export type Face = {
  readonly family: string;
  readonly file: string;
  readonly source: string;
  readonly sourceFile: string;
  readonly axes: Readonly<Record<string, number>>;
  readonly characters: string;
  readonly features: readonly string[];
  readonly redrawn?: { readonly character: string; readonly rows: DotRows };
  readonly display: 'swap' | 'optional';
  readonly fallback: {
    readonly local: string;
    readonly sample: string;
    /** Advance width of a character of the fallback, in em. */
    readonly widthOf: (character: string) => number;
  };
};

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

/** Lower-case letters of Western Europe, for names and addresses; others may use the fallback. */
const LATIN_LETTERS = 'ßàáâãäåæçèéêëìíîïñòóôõöøùúûüý';

const ARIAL_SPACE = 278;

/** Widths in em of the letters from `first` on; other characters are as wide as a space. */
const widthsFrom = (first: string, thousandths: readonly number[]) => (character: string) =>
  (thousandths[character.charCodeAt(0) - first.charCodeAt(0)] ?? ARIAL_SPACE) / 1000;

/** Helvetica and Arimo have the same widths. */
const arialSmallWidth = widthsFrom(
  'a',
  [
    556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500,
  ],
);

const arialBoldCapitalWidth = widthsFrom(
  'A',
  [
    722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667,
    611, 722, 667, 944, 667, 667, 611,
  ],
);

const monospaceWidth = () => 0.6;

export const faces: readonly Face[] = [
  {
    family: 'Brand Display',
    file: 'display.woff2',
    source: 'archivo',
    sourceFile: 'archivo-latin-wdth-normal.woff2',
    axes: { wght: 800, wdth: 125 },
    characters: `${ASCII}’`,
    features: ['kern'],
    display: 'swap',
    fallback: {
      local:
        'Arial Bold, Arial-BoldMT, Helvetica Bold, Liberation Sans Bold, Arimo Bold, Roboto Bold',
      sample: 'TRAIN UNSEEN ONLY MASKS SECURE YOUR SPOT JOIN THE WAITLIST EXCLUSIVE INVITE',
      widthOf: arialBoldCapitalWidth,
    },
  },
  {
    family: 'Brand Text',
    file: 'text.woff2',
    source: 'archivo',
    sourceFile: 'archivo-latin-wdth-normal.woff2',
    axes: { wght: 400, wdth: 100 },
    characters: `${ASCII}${LATIN_LETTERS}‘’“”–…•·©`,
    features: ['kern'],
    display: 'optional',
    fallback: {
      local: 'Arial, ArialMT, Helvetica Neue, Helvetica, Liberation Sans, Arimo, Roboto',
      sample: 'a performance mask for people who work when nobody is watching',
      widthOf: arialSmallWidth,
    },
  },
  {
    family: 'Brand Mono',
    file: 'mono.woff2',
    source: 'martian-mono',
    sourceFile: 'martian-mono-latin-wdth-normal.woff2',
    // Narrower than the default of 100, so that a label of 43 characters fits a phone of 390 px.
    axes: { wght: 400, wdth: 87.5 },
    characters: `${ASCII}…•·`,
    features: [],
    display: 'optional',
    fallback: {
      local:
        'Courier New, CourierNewPSMT, Liberation Mono, Cousine, DejaVu Sans Mono, Menlo, ' +
        'Droid Sans Mono',
      sample: 'top first',
      widthOf: monospaceWidth,
    },
  },
  {
    family: 'Brand Numeral',
    file: 'numeral.woff2',
    source: 'doto',
    sourceFile: 'doto-latin-full-normal.woff2',
    axes: { wght: 900, ROND: 100 },
    characters: '#0123456789,.',
    features: [],
    // Doto's own zero is a narrow O. This one is as wide as the other digits, and slashed.
    redrawn: {
      character: '0',
      rows: ['.OOO.', 'O...O', 'O..OO', 'O.O.O', 'OO..O', 'O...O', '.OOO.'],
    },
    display: 'swap',
    fallback: {
      local:
        'Courier New Bold, CourierNewPS-BoldMT, Liberation Mono Bold, DejaVu Sans Mono Bold, ' +
        'Menlo Bold',
      sample: '#0123456789',
      widthOf: monospaceWidth,
    },
  },
];
