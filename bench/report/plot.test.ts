import { expect, test } from 'vitest';
import { drawLines, type Lines } from './plot.ts';

const lines: Lines = {
  title: 'PostgreSQL, 1,000,000 members',
  x: 'requests in flight',
  points: ['join', 'bare INSERT route'].flatMap((series, index) =>
    [1, 64].map((x) => ({ series, isBaseline: index === 1, x, perSecond: x * 100, p99Ms: x })),
  ),
};

test('the same figures give the same bytes, whatever was drawn before', async () => {
  const first = await drawLines(lines);
  await drawLines({ ...lines, title: 'Other' });
  expect(await drawLines(lines)).toBe(first);
});

test('a plot names its series and axes, and draws every point in both panels', async () => {
  const svg = await drawLines(lines);
  for (const text of ['join', 'bare INSERT route', 'requests in flight', 'answers a second'])
    expect(svg).toContain(`>${text}<`);
  expect(svg.match(/aria-roledescription="point"/g)).toHaveLength(8);
  expect(svg).not.toMatch(/NaN|undefined/);
});
