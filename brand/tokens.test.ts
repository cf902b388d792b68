import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contrast, findTokenFaults } from '../server/site/brand/token-rules.ts';

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
    const unreadable = withToken(css, foreground, colour(css, background));
    const pairs = [`--${foreground} on --${background}`, `--${background} on --${foreground}`];
    const told = findTokenFaults(unreadable).map((fault) => fault.replaceAll(/ #\w+/g, ''));
    expect(pairs.some((pair) => told.some((fault) => fault.startsWith(`${pair} `)))).toBe(true);
  });

  test('have no fault', () => {
    expect(findTokenFaults(css)).toEqual([]);
  });

  test('are all needed, and a missing one is named', () => {
    const names = new Set([...css.matchAll(/^ {2}--([\w-]+):/gm)].map(([, name = '']) => name));
    expect(names.size).toBeGreaterThan(50);
    for (const name of names) {
      const rest = css.replace(new RegExp(`^ *--${name}:[^;]*;`, 'gm'), '');
      expect(findTokenFaults(rest)).toContain(`--${name} is missing.`);
    }
  });

  test.each([
    ['fog', 'grey', '--fog must be a colour of the form #rrggbb, not grey.'],
    ['amber', '#fff', '--amber must be a colour of the form #rrggbb, not #fff.'],
    ['ghost-paint', 'var(--nowhere)', '--ghost-paint is missing.'],
    ['radius-card', '4px', '--radius-card must be a length in rem, not 4px.'],
  ])('--%s as %s is told', (name, value, sentence) => {
    expect(findTokenFaults(withToken(css, name, value))).toContain(sentence);
  });
});

function withToken(css: string, name: string, value: string): string {
  return css.replace(new RegExp(`--${name}:[^;]*;`), `--${name}: ${value};`);
}

function colour(css: string, token: string): string {
  const hex = new RegExp(`--${token}: (#[0-9a-f]{6});`).exec(css)?.[1];
  if (hex === undefined) throw new Error(`tokens.css has no colour --${token}`);
  return hex;
}
