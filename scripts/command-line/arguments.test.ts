import { describe, expect, test } from 'vitest';
import { commands, groups } from '../operator/commands.ts';
import { readArguments } from './arguments.ts';
import { type Commands, explainAll, explainOne, labelsOf } from './command.ts';
import { readOption } from './options.ts';
import { choicesOf, UsageError } from './values.ts';

const read = (...args: string[]) => readArguments(args, commands);

function listAll(group: Commands, path = ''): [string, Commands[string]][] {
  return Object.entries(group).flatMap(([name, command]) => [
    ...(command.run === undefined ? [] : [[path + name, command] as [string, Commands[string]]]),
    ...listAll(command.commands ?? {}, `${path}${name} `),
  ]);
}

describe.each(listAll(commands))('%s', (name, command) => {
  const labels = labelsOf(command);
  const wordOf = (label: string) => choicesOf(label)[0] ?? 'word';
  const words = labels.filter((label) => !label.startsWith('[')).map(wordOf);
  const given = (command.options ?? []).map((option) => {
    const { value, choices } = readOption(option) ?? {};
    return value === null ? `--${option}` : `--${option}=${choices?.[0] ?? 'csv'}`;
  });
  const path = name.split(' ');
  const whole = [...path, ...words, ...given];

  test('is run with all its words and options, and not with one word too many or too few', () => {
    expect(read(...whole)).toMatchObject({ kind: 'call', name, words });
    const more = labels.slice(words.length).map(wordOf);
    expect(read(...whole, ...more)).toMatchObject({ kind: 'call', words: [...words, ...more] });
    expect(() => read(...whole, ...more, 'word')).toThrow(UsageError);
    if (words.length > 0) expect(() => read(...path)).toThrow(`Usage: ./waitlist ${name}`);
  });

  test.each(['-h', '--help'])('is explained and not run with %s in any position', (word) => {
    for (const place of [...whole.keys(), whole.length])
      expect(read(...whole.slice(0, place), word, ...whole.slice(place))).toEqual({
        kind: 'help',
        name,
        command,
      });
    expect(read('help', ...path)).toEqual({ kind: 'help', name, command });
  });

  test('is explained with each of its options', () => {
    const text = explainOne(name, command);
    expect(text).toContain(`./waitlist ${name}`);
    for (const option of [...(command.options ?? []), 'help'])
      expect(text).toContain(`  --${option} `);
    expect(explainAll(groups)).toMatch(new RegExp(`^  ${path[0]} +[A-Z].*\\.$`, 'm'));
  });
});

test('the help of keys names every scope', () => {
  expect(explainOne('keys', commands.keys ?? {})).toContain('read, write, export, redeem, by');
});

test('a group is explained with the commands in it and their options', () => {
  const { drop } = commands;
  const text = explainOne('drop', drop ?? {});
  expect(text).toContain(
    '\n  freeze <first> [--pause] [--holders-enter] [--losses-count] [--domains] [--cards] ',
  );
  expect(text).toContain('\n  --free-cancelled ');
  expect(() => read('campaign')).toThrow('Usage: ./waitlist campaign send <file.md> | preview ');
});

test.each([
  [['couts'], 'There is no command couts. Did you mean counts?'],
  [['help', 'alocate'], 'There is no command alocate. Did you mean allocate?'],
  [['COUNTS'], 'There is no command COUNTS. Did you mean counts?'],
  [['xyzzyx', '--help'], 'There is no command xyzzyx.'],
  [['toString'], 'There is no command toString.'],
  [['counts', '--jsno'], 'counts has no option --jsno. Did you mean --json?'],
  [['counts', '--yes'], 'counts has no option --yes.'],
  [['counts', '-x'], 'counts has no option -x.'],
  [['--yes'], './waitlist has no option --yes.'],
  [['counts', '--json=no'], '--json takes no value.'],
  [['export', '--output'], '--output needs a value.'],
  [['export', '--output', '--format'], '--output needs a value.'],
  [['stock', 'Small'], 'Usage: ./waitlist stock <size> <stock>.'],
  [['export', '--format', 'xml'], '--format is csv or json or jsonl, not xml.'],
  [['adjust-points', 'ada', 'more', '3'], 'Say add or take, not more.'],
  [['find', ''], '<id|address|code> must not be empty.'],
  [['correct-address', 'ada', ' '], '<email> must not be empty.'],
  [['adjust-points', 'ada', '', '3'], 'add|take must not be empty.'],
  [['backup', ''], '[file] must not be empty.'],
  [['export', '--output', ''], '--output needs a value.'],
  [['members', '--source='], '--source needs a value.'],
])('%j is refused with one sentence', (args, sentence) => {
  expect(() => read(...args)).toThrow(new UsageError(sentence));
});

test('the overview is a page of groups, within the width of a terminal', () => {
  const lines = explainAll(groups).split('\n');
  expect(lines.length).toBeLessThan(90);
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(lines.filter((line) => Object.hasOwn(groups, line))).toEqual(Object.keys(groups));
});

test('a negative number is a word, which the command then judges', () => {
  expect(read('adjust-points', 'ada', 'add', '-35')).toMatchObject({
    words: ['ada', 'add', '-35'],
  });
  expect(read('stock', 'Small', '-1', '--reason', 'x')).toMatchObject({ words: ['Small', '-1'] });
  expect(read('members', '--tier', '-1')).toMatchObject({ options: { tier: '-1' } });
  expect(read('note', 'ada', '-5 points')).toMatchObject({ words: ['ada', '-5 points'] });
  expect(read('note', 'ada', '−5 points')).toMatchObject({ words: ['ada', '−5 points'] });
  expect(() => read('counts', '-x')).toThrow('counts has no option -x.');
});

test('words after -- are no options', () => {
  expect(read('find', '--', '--help')).toMatchObject({ kind: 'call', words: ['--help'] });
});

test('help without a command is about all of them', () => {
  for (const args of [['help'], ['--help'], ['-h'], ['help', 'help'], ['help', '-h']])
    expect(read(...args)).toEqual({ kind: 'help', name: 'help' });
  expect(read()).toEqual({ kind: 'nothing' });
});
