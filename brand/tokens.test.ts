import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast } from '../test/support/contrast.ts';

/** The second brand proves that the tokens can differ. */
const brands = ['./', '../test/fixtures/second-brand/'];

describe.each(brands)('the colour tokens of %s', (folder) => {
  const css = readFileSync(new URL(`${folder}tokens.css`, import.meta.url), 'utf8');

  /** WCAG 2.2 AA: 4.5 for text, 3 for borders of controls and icons. */
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
  ])('%s on %s has a contrast of at least %d', (foreground, background, minimum) => {
    expect(contrast(colour(css, foreground), colour(css, background))).toBeGreaterThanOrEqual(
      minimum,
    );
  });
});

function colour(css: string, token: string): string {
  const hex = new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(css)?.[1];
  if (hex === undefined) throw new Error(`tokens.css has no colour --${token}`);
  return hex;
}
