import { expect, test } from 'vitest';
import { chooseEntrants } from './entrant-rules.ts';

type Terms = Partial<Parameters<typeof chooseEntrants>[1]>;

function choose(identities: readonly string[], terms: Terms = {}) {
  const members = identities.map((identity) => ({ identity }));
  const all = { first: 100, holders: [], names: new Set<string>(), ...terms };
  const { entrants, crowding, ...counts } = chooseEntrants(members, all);
  return {
    ...counts,
    entering: entrants.map(({ identity }) => identity),
    crowding: Object.fromEntries(crowding),
  };
}

test('two of a name enter, whatever is before it, and those who were first', () => {
  expect(
    choose(['a@firm.example', 'b@mail.firm.example', 'c@x.y.firm.example', 'd@other.example']),
  ).toMatchObject({
    entering: ['a@firm.example', 'b@mail.firm.example', 'd@other.example'],
    crowding: { 'firm.example': 1 },
  });
});

test('everybody at a mail provider enters', () => {
  const members = Array.from({ length: 9 }, (_, number) => `ghost${number}@gmail.com`);
  expect(choose(members)).toMatchObject({ entering: members, crowding: {} });
});

test('names below a suffix that others register at are counted each for itself', () => {
  const members = ['a', 'b', 'c'].flatMap((name) => [
    `${name}@one.github.io`,
    `${name}@two.co.uk`,
    `${name}@github.io`,
  ]);
  expect(choose(members).crowding).toEqual({ 'one.github.io': 1, 'two.co.uk': 1, 'github.io': 1 });
});

test('a name that the owner allows enters wholly, and others do not', () => {
  const members = ['a@school.example', 'b@school.example', 'c@school.example', 'd@school.example'];
  expect(choose(members, { names: new Set(['school.example']) }).entering).toEqual(members);
  expect(choose(members, { names: new Set(['other.example']) }).crowding).toEqual({
    'school.example': 2,
  });
});

test('who is left out leaves the place to the next, and takes no ticket of a name', () => {
  const members = ['a@x.example', 'a+1@x.example', 'b@x.example', 'c@x.example', 'd@y.example'];
  expect(choose(members, { first: 3, holders: ['b@x.example'] })).toEqual({
    entering: ['a@x.example', 'c@x.example', 'd@y.example'],
    sharing: 1,
    holding: 1,
    crowding: {},
  });
  expect(choose(members, { first: 1 }).entering).toEqual(['a@x.example']);
});
