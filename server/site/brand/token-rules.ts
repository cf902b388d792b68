export const COLOURS = [
  'void',
  'carbon',
  'graphite',
  'line',
  'edge',
  'fog',
  'bone',
  'afterglow',
  'deep',
  'charge',
  'ember',
  'ember-bg',
  'ember-text',
  'amber',
  'ghost-bare',
  'ghost-paint',
] as const;

type Colour = (typeof COLOURS)[number];

export const FONTS = ['font-display', 'font-text', 'font-mono', 'font-numeral'] as const;

const RADII = ['radius-control', 'radius-card'];

const OTHERS = [
  ...['headline', 'label', 'small', 'text', 'heading', 'stat'].map((name) => `size-${name}`),
  ...['leading-display', 'leading-heading', 'leading-text'],
  ...['tracking-display', 'tracking-label'],
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => `space-${step}`),
  ...['radius-pill', 'control-height', 'target', 'header-height'],
  ...['page-width', 'form-width', 'teaser-width'],
  ...['focus-width', 'focus-offset'],
  ...['decay', 'decay-fast', 'decay-slow'],
];

const HEX = /^#[0-9a-f]{6}$/i;
const REM = /^[0-9.]+rem$/;

/** Minimum contrasts of WCAG 2.2 AA; edges are icons and borders of controls. */
const FOR_TEXT = 4.5;
const FOR_EDGES = 3;

const PAIRS: readonly (readonly [foreground: Colour, backgrounds: readonly Colour[], number])[] = [
  ['bone', ['void', 'carbon', 'graphite'], FOR_TEXT],
  ['fog', ['void', 'carbon', 'graphite'], FOR_TEXT],
  ['afterglow', ['void', 'carbon', 'deep'], FOR_TEXT],
  ['charge', ['deep'], FOR_TEXT],
  ['ember', ['void', 'carbon', 'ember-bg'], FOR_TEXT],
  ['ember-text', ['ember-bg'], FOR_TEXT],
  ['amber', ['void', 'deep'], FOR_TEXT],
  ['edge', ['void', 'carbon', 'graphite'], FOR_EDGES],
];

export function readToken(css: string, name: string): string | null {
  const declared = declaredTokens(css);
  let value = declared.get(name);
  // The limit ends a circle of references.
  for (let step = 0; step < declared.size; step += 1) {
    const pointed = /^var\(--([\w-]+)\)$/.exec(value ?? '')?.[1];
    if (pointed === undefined) return value ?? null;
    value = declared.get(pointed);
  }
  return null;
}

export function needToken(css: string, name: string): string {
  const value = readToken(css, name);
  if (value === null) throw new Error(`tokens.css has no --${name}`);
  return value;
}

export function findTokenFaults(css: string): string[] {
  const values = new Map(
    [...COLOURS, ...FONTS, ...RADII, ...OTHERS].map((name) => [name, readToken(css, name)]),
  );
  const missing = [...values].flatMap(([name, value]) =>
    value === null ? [`--${name} is missing.`] : [],
  );
  const malformed = (names: readonly string[], form: RegExp, what: string) =>
    names.flatMap((name) => {
      const value = values.get(name) ?? null;
      return value === null || form.test(value) ? [] : [`--${name} must be ${what}, not ${value}.`];
    });
  return [
    ...missing,
    ...malformed(COLOURS, HEX, 'a colour of the form #rrggbb'),
    ...malformed(RADII, REM, 'a length in rem'),
    ...findLowContrasts(values),
  ];
}

function findLowContrasts(values: ReadonlyMap<string, string | null>): string[] {
  return PAIRS.flatMap(([foreground, backgrounds, minimum]) =>
    backgrounds.flatMap((background) => {
      const [one = null, other = null] = [values.get(foreground), values.get(background)];
      if (one === null || other === null || !HEX.test(one) || !HEX.test(other)) return [];
      const ratio = contrast(one, other);
      if (ratio >= minimum) return [];
      return [
        `--${foreground} ${one} on --${background} ${other} has a contrast of ${floor(ratio)}, ` +
          `and must have ${minimum}.`,
      ];
    }),
  );
}

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A contrast of 4.49 must not read as 4.5. */
function floor(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}

/** The first value of each token: later ones are for larger screens. */
function declaredTokens(css: string): ReadonlyMap<string, string> {
  const plain = css.replace(/\/\*.*?\*\//gs, '');
  const tokens = new Map<string, string>();
  for (const [, name = '', value = ''] of plain.matchAll(/--([\w-]+):\s*([^;}]+?)\s*[;}]/g))
    if (!tokens.has(name)) tokens.set(name, value);
  return tokens;
}
