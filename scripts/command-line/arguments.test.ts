import { describe, expect, test } from 'vitest';
import { commands } from '../operator/commands.ts';
import { readArguments } from './arguments.ts';
import { OPTIONS, UsageError } from './command.ts';
import { explainAll, explainOne } from './help.ts';

const read = (...args: string[]) => readArguments(args, commands);

describe.each(Object.entries(commands))('%s', (name, command) => {
  const words = Array.from({ length: command.words }, (_, index) => `word${index}`);
  const options = command.options.map((option) =>
    OPTIONS[option].type === 'string' ? `--${option}=csv` : `--${option}`,
  );
  const whole = [name, ...words, ...options];

  test('is run with all its words and options, and not with one word too many or too few', () => {
    expect(read(...whole)).toMatchObject({ kind: 'call', name, words });
    const { optionalWords = 0 } = command;
    const more = Array.from({ length: optionalWords }, () => 'word');
    expect(read(...whole, ...more)).toMatchObject({ kind: 'call', words: [...words, ...more] });
    expect(() => read(...whole, ...more, 'word')).toThrow(`Usage: ./waitlist ${name}`);
    if (words.length > 0) expect(() => read(name)).toThrow(`Usage: ./waitlist ${name}`);
  });

  test.each(['-h', '--help'])('is explained and not run with %s in any position', (word) => {
    for (const place of [...whole.keys(), whole.length])
      expect(read(...whole.slice(0, place), word, ...whole.slice(place))).toEqual({
        kind: 'help',
        name,
      });
    expect(read('help', name)).toEqual({ kind: 'help', name });
  });

  test('is explained with each of its options', () => {
    const text = explainOne(name, command);
    expect(text).toContain(`./waitlist ${name}`);
    for (const option of [...command.options, 'help']) expect(text).toContain(`  --${option} `);
    expect(explainAll(commands)).toContain(`  ./waitlist ${name}`);
  });
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
  [['stock', 'Small'], 'Usage: ./waitlist stock <size> <pieces> --reason "<why>".'],
])('%j is refused with one sentence', (args, sentence) => {
  expect(() => read(...args)).toThrow(new UsageError(sentence));
});

test('words after -- are no options', () => {
  expect(read('find', '--', '--help')).toMatchObject({ kind: 'call', words: ['--help'] });
});

test('help without a command is about all of them', () => {
  for (const args of [['help'], ['--help'], ['-h'], ['help', 'help'], ['help', '-h']])
    expect(read(...args)).toEqual({ kind: 'help', name: null });
  expect(read()).toEqual({ kind: 'nothing' });
});
