import { fstatSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { openTerminal } from './terminal.ts';

test('under systemd everything that is printed is a line of the log', () => {
  const { dev, ino } = fstatSync(process.stdout.fd);
  const lines: object[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  vi.stubEnv('JOURNAL_STREAM', `${dev}:${ino}`);
  const terminal = openTerminal(destination);
  vi.unstubAllEnvs();
  terminal.log('\nThe line is open at https://example.com\n  Data   /data\n  Mail   kept');
  terminal.warn('The line differs.');
  terminal.fatal('Port 3000 is in use.');
  expect(lines).toMatchObject([
    { level: 30, msg: 'The line is open at https://example.com; Data   /data; Mail   kept' },
    { level: 40, msg: 'The line differs.' },
    { level: 60, msg: 'Port 3000 is in use.' },
  ]);
  expect(terminal.isWatched).toBe(false);
});

test.each([undefined, '1:1'])('a terminal gets text, with %j as the journal', (journal) => {
  const print = vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.stubEnv('JOURNAL_STREAM', journal);
  openTerminal().log('\nThe line is open\n  Data');
  vi.unstubAllEnvs();
  expect(print.mock.calls).toEqual([['\nThe line is open\n  Data']]);
  print.mockRestore();
});
