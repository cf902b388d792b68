import { expect, test } from 'vitest';
import { type CpuProfile, drawFlameGraph, listHottest, readFrames } from './flame-graph.ts';

const node = (id: number, functionName: string, children: number[] = []) => ({
  id,
  callFrame: { functionName, url: '' },
  children,
});

/** A millisecond a sample: 1 idle, 3 in two calls of "parse", 1 in "serve" itself, then 5 that come too late. */
const profile: CpuProfile = {
  nodes: [node(1, '(root)', [2, 3]), node(2, '(idle)'), node(3, 'serve', [4, 5]), node(4, 'parse'), node(5, 'parse')],
  samples: [2, 4, 4, 5, 3, 3],
  timeDeltas: [1_000, 1_000, 1_000, 1_000, 1_000, 5_000],
  startTime: 10_000,
};
const root = readFrames(profile, { from: 10_000, to: 15_000 });

test('time in which nothing ran, or outside of the span, is no part of a profile', () => {
  expect(root.ms).toBe(4);
});

test('calls of one function by the same caller are one frame', () => {
  const [serve] = root.callees;
  expect(serve).toMatchObject({ name: 'serve', ms: 4, selfMs: 1 });
  expect(serve?.callees).toMatchObject([{ name: 'parse', ms: 3 }]);
});

test('the hottest functions are those in which most time was spent themselves', () => {
  expect(listHottest(root, 2)).toEqual([
    { name: 'parse', share: 0.75 },
    { name: 'serve', share: 0.25 },
  ]);
});

test('a flame graph has a box for every frame that can be seen', () => {
  const svg = drawFlameGraph('Server', root, { ground: 'g', line: 'l', faint: 'f', text: 't', bright: 'b' });
  expect(svg.match(/<g>/g)).toHaveLength(3);
  expect(svg).toContain('<title>parse: 75.0 %</title>');
});
