import { expect, test } from 'vitest';
import { commands } from '../operator/commands.ts';
import { completionScript, listCandidates } from './completion.ts';
import { UsageError } from './values.ts';

const SIZES = ['Small', 'Medium', 'Extra Large'];

test.each([
  [['cou'], ['counts']],
  [['--'], ['--help']],
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
  expect(await listCandidates(words, { commands, listSizes: async () => SIZES })).toEqual(
    candidates,
  );
});

test('the server is called for sizes only where one may stand', async () => {
  const listSizes = () => Promise.reject(new Error('asked'));
  expect(await listCandidates(['sto'], { commands, listSizes })).toEqual(['stock']);
  await expect(listCandidates(['stock', ''], { commands, listSizes })).rejects.toThrow('asked');
});

test('another shell is refused', () => {
  expect(() => completionScript('fish')).toThrow(UsageError);
});
