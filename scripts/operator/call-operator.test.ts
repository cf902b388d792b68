import { expect, test } from 'vitest';
import { FolderInUse } from '../../server/db/embedded/folder-lock.ts';
import { askOrOpen, NotRunning, OperatorError } from './call-operator.ts';

const notRunning = async () => {
  throw new NotRunning('No server is running.');
};
const inUse = async () => {
  throw new FolderInUse('The data folder is in use.');
};

test('a server that starts, and holds its folder before it answers, is waited for', async () => {
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return asked === 1 ? await notRunning() : 'of the server';
  };
  expect(await askOrOpen(ask, inUse)).toBe('of the server');
});

test('the database answers when no server runs, and a refusal is final', async () => {
  expect(await askOrOpen(notRunning, async () => 'of the database')).toBe('of the database');
  const refuse = async () => {
    throw new OperatorError('The server refused.');
  };
  await expect(askOrOpen(refuse, inUse)).rejects.toThrow('The server refused.');
  await expect(askOrOpen(notRunning, refuse)).rejects.toThrow('The server refused.');
});
