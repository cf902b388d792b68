/**
 * The operator's commands against a real server: what a shell shows as real processes, the rest
 * within the test's own.
 */

import type { SpawnOptions } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { describeExamples } from '../../server/site/brand/describe-examples.ts';
import { joinOverHttp } from '../faults/join-load.ts';
import { createMigratedPlace, type DatabasePlace, oneEngine } from '../support/engines.ts';
import { type ServedSite, serveInProcess } from '../support/in-process-server.ts';
import { runCommand } from '../support/run-command.ts';
import { runProgram } from '../support/run-program.ts';
import { tellStory } from '../support/tell-story.ts';

const EXECUTABLE = fileURLToPath(new URL('../../waitlist', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../scripts/waitlist.ts', import.meta.url));
/** Root may read everything, unless this takes the capability from it. */
const AS_ANYBODY =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

describe.each(oneEngine)('the command line with %s', (engine) => {
  let place: DatabasePlace;
  let server: ServedSite;
  let settings: Record<string, string>;
  beforeAll(async () => {
    place = await createMigratedPlace(engine);
    settings = { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl ?? '' };
    server = await serveInProcess(settings);
  });
  afterAll(async () => {
    await server.stop();
    await place.remove();
  });

  const run = (...words: string[]) => runCommand(settings, ...words);
  const end = (words: string[], options?: SpawnOptions) => runProgram(words, settings, options);

  async function joinLine(email: string): Promise<{ id: string }> {
    const answer = await joinOverHttp(server.url, email, null);
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: string };
  }

  test('the start and the overview name the examples in the brand file', async () => {
    const shown = async () => server.output() + (await run('overview')).stdout;
    for (const notice of describeExamples(brand))
      await expect.poll(async () => (await shown()).split(notice).length - 1).toBe(2);
  });

  const step = tellStory('a day of the operator, and a start with other sizes');

  step('members join, are found and exported; masks are stocked and allocated', async () => {
    const { id } = await joinLine('ada@example.com');
    await joinLine('=grace@example.com');
    expect(JSON.parse((await run('overview', '--json')).stdout)).toHaveProperty('health.mail');
    expect(JSON.parse((await run('counts', '--json')).stdout)).toMatchObject({ members: 2 });
    const file = join(place.dataDir, 'line.json');
    const why = ['--reason', 'three are spoilt'];
    for (const [words, stdout] of [
      ['overview', /^Members now +\d+$/m],
      ['find ADA@example.com', new RegExp(id)],
      ['find ADA@example.com', /Mail:\nWhat +Value\nState +sending\n[\s\S]*\nwelcome /],
      ['test-mail ada@example.com', /\nOutcome +kept\nFile +\S+test\.eml\n$/],
      ['mails suppressed', /^There are no entries\.\n$/],
      ['export', /,'=grace@example\.com,/],
      [`export --format json --output ${file}`, /^The line is in \S+line\.json \(/],
      ['stock SMALL 30 --preview', /^The stock of Small goes from 33 to 30\.\n30 of them .*\.\n$/],
    ] as const)
      expect((await run(...words.split(' '))).stdout, words).toMatch(stdout);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveLength(2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const stocked = await run('stock', 'SMALL', '30', ...why);
    expect(stocked.stdout).toBe('The stock of Small went from 33 to 30.\n');
    expect(stocked.stderr).toMatch(/\nTo undo it until 2\S+Z: \.\/waitlist undo 2\n$/);
    expect((await run('undo', '2', ...why)).stdout).toMatch(/ went back from 30 to 33\.\n$/);
    expect(await run('undo', '2', ...why)).toMatchObject({
      exitCode: 1,
      stderr: 'Change 2 was undone already, by 3.\n',
    });
    expect((await run('stock', 'small', '30', '--reason', 'spoilt after all')).exitCode).toBe(0);
    const latest = '^Number .*\n +4 .*after all +2\\S+Z\n +3 .*\n +2 .*are spoilt +3\n';
    expect((await run('changes')).stdout).toMatch(new RegExp(`${latest} +1 .*test mail.*\n$`));
    const allocated = await run('allocate', 'small', '2', '--note', 'for the press', '--json');
    expect(JSON.parse(allocated.stdout).summary).toBe('2 masks of size Small were allocated.');
    const { allocations } = JSON.parse((await run('allocations', '--json')).stdout);
    expect((await run('sizes')).stdout).toMatch(/Small +30 +2 +0 +0 +28 +0\n/);
    const released = await run('release', allocations[0].id, '--note', 'sent back');
    expect(released.stdout).toBe('2 masks of size Small were released.\n');
    expect((await run('allocations')).stdout).toMatch(/ sent back$/m);
    const verified = await run('verify');
    expect(verified.stdout).toMatch(
      /^2 members compared, 0 differences\.\nAudit log: 6 entries, head 6:[0-9a-f]{64}\n$/,
    );
    const [, head = ''] = /head (\S+)/.exec(verified.stdout) ?? [];
    expect((await run('verify', '--audit-head', head)).exitCode).toBe(0);
    const other = head.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    expect(await run('verify', '--audit-head', other)).toMatchObject({
      exitCode: 1,
      stderr:
        'The audit log is broken in 1 place: entry 6 is not the one of which you kept the hash.\n',
    });
  });

  step('a size that does not exist is refused with those that do', async () => {
    expect(await run('stock', 'Huge', '1', '--reason', 'x')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'There is no size Huge. The sizes are Small, Medium, Large.\n',
    });
  });

  step('a size is renamed, and one that the site shows is not removed', async () => {
    const renamed = await run('rename-size', 'small', 'S', '--reason', 'shorter');
    expect(renamed.stdout).toBe('The size Small was renamed to S.\n');
    expect(await run('remove-size', 'large', '--reason', 'x')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'The site shows the size Large: take it out of brand.ts, and start again, first.\n',
    });
  });

  step('without a server the commands say so, and verify opens the database itself', async () => {
    await server.stop();
    expect(existsSync(join(place.dataDir, 'server.json'))).toBe(false);
    const counts = await run('counts');
    expect(counts).toMatchObject({ exitCode: 1, stdout: '' });
    expect(counts.stderr).toMatch(/^No server is running on [^\n]+\n$/);
    expect(await run('verify')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^2 members compared, 0 differences\.\nAudit log: \d+ entries, /,
      ),
    });
    if (engine === 'postgres')
      expect(await run('migrate')).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^The schema of the database in \S.* is up to date\.\n$/),
      });
    server = await serveInProcess(settings);
    // It says that it is open before it has written where.
    await expect.poll(() => run('counts')).toMatchObject({ exitCode: 0 });
  });

  step('a start says how the line differs from the brand file, with the commands', async () => {
    await expect
      .poll(server.output)
      .toContain(
        'The line differs from brand/brand.ts: it has the size S and not Small ' +
          '(./waitlist rename-size S Small); of Small it has 30 and brand.ts 33 ' +
          '(./waitlist stock Small 33).\n',
      );
    const removed = await run('remove-size', 's', '--reason', 'no longer shown', '--json');
    expect(JSON.parse(removed.stdout).summary).toBe(
      'The size S and its stock of 30 masks were removed.',
    );
  });

  test.each([
    [['find', 'nobody@example.com'], 1],
    [['release', 'nothing', '--note', 'x'], 1],
    [['test-mail', 'nobody'], 1],
    [['remove', 'ada@example.com', '--credit', 'held', '--reason', 'x'], 1],
    [['remove', '--reason', 'x'], 1],
    [['stock', 'Medium', '1'], 2],
    [['erase', 'ada', '--reason', 'x'], 2],
    [['allocate', 'Small', '1'], 2],
    [['undo', 'x', '--reason', 'x'], 2],
    [['remove'], 2],
    [['verify', '--audit-head', '3'], 2],
    [['nonsense'], 2],
  ])('%j is one clear line and exit code %i', async (words, exitCode) => {
    const outcome = await run(...words);
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stdout).toBe('');
    expect(outcome.stderr).toMatch(/^[^\n]+\n$/);
  });

  test('a field that the server refuses is named as it is typed', async () => {
    for (const [words, name] of [
      [['members', '--joined-from', 'yesterday'], 'joined from'],
      [['keys', 'add', 'nightly', 'read', '2027-02-30'], 'ends at'],
    ] as const)
      expect((await run(...words)).stderr).toBe(
        `${name} must be a day such as 2026-05-01, or a time with its zone such as ` +
          '2026-05-01T18:00Z.\n',
      );
  });

  test('without arguments it explains itself, as a mistake', async () => {
    const { stdout } = await run('--help');
    expect(await run()).toEqual({ exitCode: 2, stdout: '', stderr: stdout });
  });

  test('an export does not overwrite a file', async () => {
    const file = join(place.dataDir, 'server.json');
    const outcome = await run('export', '--format', 'csv', '--output', file);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
    expect(outcome.stderr).toContain('exists already');
  });

  test('a token of the settings needs no file', async () => {
    const own = { ...settings, OPERATOR_TOKEN: randomBytes(32).toString('hex') };
    expect((await runCommand(own, 'counts')).stderr).toBe(refusedToken());
  });

  const refusedToken = () =>
    `The server at ${server.url} refused the operator's token (401): set OPERATOR_TOKEN as the ` +
    'server has it, or restart the server if its file was changed.\n';

  // None of this depends on the engine.
  function testTheProgram(): void {
    const elsewhere = { cwd: tmpdir() };

    test('./waitlist prints nothing but the result, from any folder', async () => {
      const { exitCode, stdout, stderr } = await end([EXECUTABLE, 'counts', '--json'], elsewhere);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(JSON.parse(stdout)).toHaveProperty('members');
      const version = await end([EXECUTABLE, '--version'], elsewhere);
      expect(version.stdout).toMatch(/^\d+\.\d+\.\d+ \([0-9a-f]{12}\)\n$/);
    });

    test('a reader that goes away ends it quietly', async () => {
      const script = '{ "$0" export; echo "exit code $?" >&2; } | :';
      expect(await end(['bash', '-c', script, EXECUTABLE])).toEqual({
        exitCode: 0,
        stdout: '',
        stderr: 'exit code 0\n',
      });
    });

    test('a full disk for its output is said in one sentence', async () => {
      for (const words of ['export', 'counts', 'help'])
        expect(await end(['bash', '-c', `"$0" ${words} > /dev/full`, EXECUTABLE])).toEqual({
          exitCode: 1,
          stdout: '',
          stderr: 'The output was not written: its disk is full.\n',
        });
    });

    test('bash completes commands and sizes', async () => {
      const script = `eval "$("$0" completion bash)"
        COMP_WORDS=(waitlist allo); COMP_CWORD=1; _waitlist; echo "\${COMPREPLY[@]}"
        COMP_WORDS=("$0" stock m); COMP_CWORD=2; _waitlist; echo "\${COMPREPLY[@]}"
        complete -p waitlist`;
      expect(await end(['bash', '-c', script, EXECUTABLE], elsewhere)).toEqual({
        exitCode: 0,
        stdout: 'allocations allocate\nMedium\ncomplete -o default -F _waitlist waitlist\n',
        stderr: '',
      });
    });

    test.each(['server.json', 'operator-token'])(
      'a %s that may not be read is refused with one sentence',
      async (name) => {
        const path = join(place.dataDir, name);
        chmodSync(path, 0o000);
        const outcome = await end([...AS_ANYBODY, process.execPath, SCRIPT, 'counts']);
        chmodSync(path, 0o600);
        expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
        expect(outcome.stderr).toBe(
          `You have no permission for ${path} (open): run this as the user that runs the server.\n`,
        );
      },
    );

    test('a token that the server refuses is named in one sentence', async () => {
      const path = join(place.dataDir, 'operator-token');
      const token = readFileSync(path, 'utf8');
      writeFileSync(path, 'x'.repeat(43));
      const outcome = await run('counts');
      writeFileSync(path, token);
      expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
      expect(outcome.stderr).toBe(refusedToken());
    });
  }
  if (engine === 'postgres') describe('as a program of the shell', testTheProgram);
});
