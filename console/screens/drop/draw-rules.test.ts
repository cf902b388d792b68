import { expect, test } from 'vitest';
import type { Announcement } from '../../../contract/drop/draw-record.ts';
import { isDrawn, nameMasks, readDomains, readDraw, readSignature } from './draw-rules.ts';
import { describeRule, nextStepOf, progressOf, stepsAhead } from './step-rules.ts';

const SMALL = nameMasks('Small');
const usual = {
  [SMALL]: '3',
  [nameMasks('Large')]: '0',
  byRank: '1',
  among: '12',
  source: 'quicknet',
  drawAt: '',
};
const read = (change: Record<string, string>) =>
  readDraw(['Small', 'Large'], { ...usual, ...change });
const masks = [
  { size: 'Small', masks: 3 },
  { size: 'Large', masks: 0 },
];

test('fields of a draw become the input of its change', () => {
  expect(read({ byRank: '3' })).toEqual({ masks, by_rank: 3, source: 'none' });
  const rule = { masks, by_rank: 1, drawn_among: 12 };
  expect(read({ source: 'seed' })).toEqual({ ...rule, source: 'seed' });
  expect(read({ source: 'seed', among: '' })).toEqual({ masks, by_rank: 1, source: 'seed' });
  const drawAt = '2030-01-01T12:00:00.000Z';
  expect(read({ byRank: '0', drawAt })).toEqual({
    ...rule,
    by_rank: 0,
    source: 'quicknet',
    draw_at: drawAt,
  });
});

test('masks that do not go by rank are drawn, however they are written', () => {
  const sizes = ['Small', 'Large'];
  expect(isDrawn(sizes, { ...usual, byRank: '3' })).toBe(false);
  expect(isDrawn(sizes, { ...usual, [SMALL]: '1,200', byRank: '1199' })).toBe(true);
  expect(isDrawn(sizes, { ...usual, [SMALL]: 'x' })).toBe(false);
});

test('domains are read with commas, blanks or lines between them', () => {
  expect(readDomains(' school.example, firm.example\n')).toEqual([
    'school.example',
    'firm.example',
  ]);
});

test('a signature is found in what a relay answers', () => {
  const signature = 'ab'.repeat(48);
  expect(readSignature(` ${signature}\n`)).toBe(signature);
  expect(readSignature(`{"round":7,"signature":"${signature}"}`)).toBe(signature);
  expect(readSignature(`${signature}0`)).toBeNull();
});

const announcement = { masks, by_rank: 3, drawn_among: 0 } as unknown as Announcement;

test('a rule is described by what goes by rank and what is drawn', () => {
  expect(describeRule(announcement)).toBe('3 masks, all by rank.');
  expect(describeRule({ ...announcement, by_rank: 0, drawn_among: 1200 })).toBe(
    '3 masks, drawn among the first 1,200.',
  );
  expect(describeRule({ ...announcement, by_rank: 1, drawn_among: 9 })).toBe(
    '1 of 3 masks by rank, 2 drawn among the first 9.',
  );
});

test('each state leads to one step, a frozen line to the announcement first', () => {
  const step = (state: 'open' | 'frozen' | 'selected' | 'offering' | 'closed', drawn = false) =>
    nextStepOf({
      drop: {
        number: 1,
        state,
        frozen_at: null,
        list_hash: null,
        announcement: drawn ? announcement : null,
        announcement_hash: null,
        selected_at: null,
        closed_at: null,
      },
    });
  expect([step('open'), step('frozen'), step('frozen', true)].map(({ step }) => step)).toEqual([
    'freeze-drop',
    'announce-draw',
    'select-entrants',
  ]);
  expect([step('selected'), step('offering')].map(({ step }) => step)).toEqual([
    'start-offers',
    'close-drop',
  ]);
  expect(step('closed')).toMatchObject({ step: 'open-drop', label: 'Open drop 2' });
  expect(progressOf('open', 'frozen')).toBe('done');
  expect(progressOf('closed', 'frozen')).toBe('ahead');
});

test('steps that were not taken can be planned', () => {
  expect(stepsAhead({ state: 'open', announcement: null })).toHaveLength(5);
  expect(stepsAhead({ state: 'frozen', announcement })).toEqual([
    'select-entrants',
    'start-offers',
    'close-drop',
  ]);
  expect(stepsAhead({ state: 'closed', announcement })).toEqual([]);
});
