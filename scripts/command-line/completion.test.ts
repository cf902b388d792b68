import { expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { commands } from '../operator/commands.ts';
import { listCandidates } from './completion.ts';
import { createProgram } from './program.ts';

const program = createProgram(commands, () => readConfig({}));
const SIZES = ['Small', 'Medium', 'Extra Large'];

test.each([
  [['cou'], ['counts']],
  [['--'], ['--version', '--help']],
  [
    ['help', 'all'],
    ['allocations', 'allocate'],
  ],
  [['stock', ''], SIZES],
  [['allocate', 'S'], ['Small']],
  [['allocate', 'm'], ['Medium']],
  [['allocate', '--note', 'press', 'e'], ['Extra Large']],
  [['allocate', 'Small', ''], []],
  [
    ['allocate', 'Small', '2', '--'],
    ['--note', '--reason', '--preview', '--json', '--help'],
  ],
  [['allocate', 'Small', '2', '--note', ''], []],
  [['export', '--f'], ['--format']],
  [
    ['export', '--format', ''],
    ['csv', 'json', 'jsonl'],
  ],
  [['export', '--output', ''], []],
  [['find', 'format', ''], []],
  [
    ['completion', ''],
    ['bash', 'zsh'],
  ],
  [
    ['webhooks', 'r'],
    ['rotate', 'remove', 'replay'],
  ],
  [
    ['credits', 'ap'],
    ['approve', 'approve-code', 'approve-domain', 'approve-network'],
  ],
  [['webhooks', 'edit', ''], []],
  [['operators', 'in'], ['invite']],
  [['operators', 'invite', 'Ada', ''], []],
  [
    ['operators', 'invite', 'Ada', 'ada@example.com', ''],
    ['owner', 'viewer', 'door'],
  ],
  [['operators', 'role', '--json', 'ada@example.com', 'v'], ['viewer']],
  [['operators', 'remove', ''], []],
  [['keys', 'add', 'Shop', 'w'], ['write']],
  [
    ['keys', 'add', 'Shop', 'write,'],
    ['write,read', 'write,export', 'write,redeem'],
  ],
  [['mails', 'f'], ['failed']],
  [['nonsense', ''], []],
])('%j is completed to %j', async (words, candidates) => {
  expect(await listCandidates(program, words, async () => SIZES)).toEqual(candidates);
});

test('the server is called for sizes only where one may stand', async () => {
  const listSizes = () => Promise.reject(new Error('asked'));
  expect(await listCandidates(program, ['sto'], listSizes)).toEqual(['stock']);
  await expect(listCandidates(program, ['stock', ''], listSizes)).rejects.toThrow('asked');
});
