import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** This brand and the second one, which proves that the tokens can be others. */
const brands = ['./', '../test/fixtures/second-brand/'];

describe.each(brands)('the colour tokens of %s', (folder) => {
  const css = readFileSync(new URL(`${folder}tokens.css`, import.meta.url), 'utf8');

  /** WCAG 2.2 AA: 4.5 for text, 3 for the borders of controls and for signs. */
  test.each([
    ['bone', 'void', 4.5],
    ['bone', 'carbon', 4.5],
    ['bone', 'graphite', 4.5],
    ['fog', 'void', 4.5],
    ['fog', 'carbon', 4.5],
    ['fog', 'graphite', 4.5],
    ['afterglow', 'void', 4.5],
    ['afterglow', 'carbon', 4.5],
    ['afterglow', 'deep', 4.5],
    ['void', 'afterglow', 4.5],
    ['charge', 'deep', 4.5],
    ['ember', 'void', 4.5],
    ['ember', 'carbon', 4.5],
    ['ember-text', 'ember-bg', 4.5],
    ['ember', 'ember-bg', 4.5],
    ['amber', 'void', 4.5],
    ['amber', 'deep', 4.5],
    ['edge', 'void', 3],
    ['edge', 'carbon', 3],
    ['edge', 'graphite', 3],
  ])('%s on %s has a contrast of at least %d', (foreground, background, least) => {
    expect(contrast(colour(css, foreground), colour(css, background))).toBeGreaterThanOrEqual(least);
  });
});

function colour(css: string, token: string): string {
  const hex = new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(css)?.[1];
  if (hex === undefined) throw new Error(`tokens.css has no colour --${token}`);
  return hex;
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of WCAG 2.2, 0 to 1. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
