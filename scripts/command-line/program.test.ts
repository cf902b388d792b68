import { InvalidArgumentError } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { changeInputs } from '../../contract/operator/changes.ts';
import { readConfig } from '../../server/config.ts';
import { commands } from '../operator/commands.ts';
import { createProgram, run as runArguments } from './program.ts';

/** A command that gets as far as its settings is run. */
const IS_RUN = 'it is run';

/** What it prints, and the message of what it throws. */
async function call(...args: string[]) {
  const printed: string[] = [];
  const keep = (text: string) => void printed.push(text);
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(keep),
    vi.spyOn(console, 'error').mockImplementation(keep),
  ];
  const program = createProgram(commands, () => {
    throw new InvalidArgumentError(IS_RUN);
  });
  const outcome = await runArguments(program, args).catch((error: Error) => error.message);
  for (const spy of spies) spy.mockRestore();
  return { printed: printed.join('\n'), outcome };
}

const runnable = commands.filter(({ run }) => run !== undefined);

describe.each(runnable)('$path', ({ path: name, words, options }) => {
  const path = name.split(' ');

  test.each(['-h', '--help'])('is explained and not run with %s in any position', async (word) => {
    const whole = [...path, ...words.map(() => 'word')];
    for (const place of [...whole.keys(), whole.length].slice(1)) {
      const { printed, outcome } = await call(...whole.toSpliced(place, 0, word));
      expect(outcome).toBe('(outputHelp)');
      if (place < path.length) continue;
      expect(printed).toContain(`Usage: ./waitlist ${name} `);
      for (const { name: field, option = field.replaceAll('_', '-') } of options)
        expect(printed).toContain(`  --${option} `);
    }
    expect((await call('help', ...path)).printed).toContain(`Usage: ./waitlist ${name} `);
  });

  test('takes no word too many', async () => {
    const { outcome } = await call(...path, ...words.map(() => '1'), 'x', 'x', 'x');
    expect(outcome).toMatch(/too many arguments|has no command|is invalid|required option/);
  });

  if (words.some(({ isOptional }) => !isOptional))
    test('takes no word too few', async () => {
      expect((await call(...path)).outcome).toMatch(
        /missing required argument|has no command|required option/,
      );
    });
});

test('every change of the API can be made by its name', () => {
  const kinds = Object.keys(changeInputs);
  expect(commands.map(({ path }) => path)).toEqual(
    expect.arrayContaining(kinds.map((kind) => `change ${kind}`)),
  );
});

test.each([
  [['couts'], "Unknown command 'couts' (Did you mean counts?)"],
  [['COUNTS'], "Unknown command 'COUNTS'. Usage: ./waitlist [options] [command]"],
  [['credits', 'aprove'], "Unknown command 'aprove' (Did you mean approve?)"],
  [['toString'], "Unknown command 'toString'. Usage: ./waitlist [options] [command]"],
  [['counts', '--jsno'], "Unknown option '--jsno' (Did you mean --json?)"],
  [['counts', '-x'], "Unknown option '-x'. Usage: ./waitlist counts [options]"],
  [['--yes'], "Unknown option '--yes'. Usage: ./waitlist [options] [command]"],
  [
    ['stock', 'Small'],
    "Missing required argument 'stock'. Usage: ./waitlist stock [options] <size> <stock>",
  ],
  [['campaign', 'send', 'x.md'], "Required option '--subject <subject>' not specified"],
  [['export', '--output'], "Option '--output <file>' argument missing"],
  [['export', '--output', '--format', 'csv'], 'It needs a value'],
  [['export', '--output', ''], 'It needs a value'],
  [['find', ''], 'It needs a value'],
  [['export', '--format', 'xml'], 'Allowed choices are csv, json, jsonl'],
  [['members', '--confirmed', 'maybe'], 'Allowed choices are yes, no'],
  [['adjust-points', 'ada', 'more', '3'], 'Allowed choices are add, take'],
  [['keys', 'add', 'x', 'read,all'], 'Allowed choices are read, write, export, redeem'],
  [['stock', 'Small', 'many'], 'many is not a whole number from 0 to 1000000'],
  [['backup', '--keep', '0'], '0 is not a whole number from 1 to 99999'],
  [['drop', 'freeze', '9', '--when', 'launch 2027'], 'It needs a time, such as 2026-05-01T18:00'],
  [['mails', 'lost'], 'Mails has no command "lost". It has waiting, failed, suppressed, retry'],
])('%j is refused with one sentence', async (args, sentence) => {
  const { printed } = await call(...args);
  expect(printed).toContain(sentence);
  expect(printed).not.toContain('\n');
});

test('the overview is a page of groups, within the width of a terminal', async () => {
  const lines = (await call('--help')).printed.split('\n');
  const titles = new Set(commands.map(({ group }) => group));
  expect(lines.length).toBeLessThan(90);
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(lines.filter((line) => titles.has(line))).toEqual([...titles]);
  for (const args of [['help'], ['-h']])
    expect((await call(...args)).printed.split('\n')).toEqual(lines);
});

test('a group is explained with its commands and their words', async () => {
  expect((await call('drop', '--help')).printed).toContain(
    '\n  freeze <first>                        Freeze the first of the line',
  );
});

test.each([
  [['adjust-points', 'ada', 'add', '-3'], '-3 is not a whole number from 1 to 10000'],
  [['members', '--tier', '-1'], '-1 is not a whole number from 0 to 100'],
])('%j has a negative number, which is judged as such', async (args, sentence) => {
  expect((await call(...args)).printed).toContain(sentence);
});

test('words after -- are no options', async () => {
  expect((await call('find', '--', '--help')).printed).toContain('It needs a value');
  expect((await call('note', 'ada', '--', '-5 points')).outcome).toBe(IS_RUN);
});

test('an option that a group has, too, is that of its command', async () => {
  const run = vi.fn(async () => {});
  const json = { name: 'json', isFlag: true };
  const command = { group: 'All', about: '', words: [], options: [json], run };
  const all = ['a', 'a b'].map((path) => ({ ...command, path }));
  await runArguments(
    createProgram(all, () => readConfig({})),
    ['a', 'b', '--json'],
  );
  expect(run).toHaveBeenCalledWith(expect.objectContaining({ values: { json: true } }));
});
