/** Where a post goes, on real sockets. */
import dns from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { startReceiver } from '../../test/support/webhook-receiver.ts';
import { listOf } from '../http/admission/client-address.ts';
import { isInNetworks, isPublicAddress, openPost } from './post-event.ts';

const NOT_PUBLIC = 'the host has an address that is not public';
const noNetworks = openPost([]);
const loopback = openPost(['127.0.0.1'], 500);
const post = { headers: {}, body: '{}' };

afterEach(() => vi.restoreAllMocks());

test.each([
  'https://localhost/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://169.254.169.254/latest/meta-data',
  'https://[fe80::1]/',
  'https://224.0.0.1/',
])('%s is refused before anything is sent', async (url) => {
  expect(await noNetworks({ ...post, url })).toMatchObject({ status: null, cause: NOT_PUBLIC });
});

test('http is refused to a public address, whatever the setting allows', async () => {
  expect(await loopback({ ...post, url: 'http://8.8.8.8/' })).toMatchObject({
    status: null,
    cause: 'https is required',
  });
});

test('a name is looked up once, and the connection goes to what was checked', async () => {
  const receiver = await startReceiver();
  const lookUp = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(async () => [{ address: '127.0.0.1', family: 4 }] as never);
  const url = `http://rebinding.example:${receiver.port}/`;
  expect(await loopback({ ...post, url })).toMatchObject({ status: 200, answer: 'thanks' });
  expect(lookUp).toHaveBeenCalledTimes(1);
  // One private address among several is enough to refuse them all.
  lookUp.mockImplementation(
    async () =>
      [
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ] as never,
  );
  expect(await loopback({ ...post, url })).toMatchObject({ status: null, cause: NOT_PUBLIC });
  expect(receiver.events).toHaveLength(1);
  await receiver.close();
});

test('an answer is cut at its first bytes, and has no addresses', async () => {
  const receiver = await startReceiver();
  receiver.answer = (response) => {
    response.writeHead(200).write('hello ada@example.com, ');
    response.write('x'.repeat(5_000_000));
  };
  const { answer, status } = await loopback({ ...post, url: receiver.url });
  expect(status).toBe(200);
  expect(answer).toMatch(/^hello \[address\], x+$/);
  expect(answer?.length).toBeLessThanOrEqual(1024);
  await receiver.close();
});

test.each([
  'ada@example.com',
  'ada%40example.com',
  'ada%2540example.com',
  'ada%EF%BC%A0example.com',
  'ada\uff20example.com',
  'ada\\u0040example.com',
  'ada\\uff20example.com',
  'ada&#64;example.com',
  'ada&commat;example.com',
  'ada@',
])('an answer with %s has no address', async (address) => {
  const receiver = await startReceiver();
  receiver.answer = (response) => void response.writeHead(400).end(`no such user <${address}>`);
  const { answer } = await loopback({ ...post, url: receiver.url });
  expect(answer).toBe('no such user <[address]>');
  await receiver.close();
});

test('the status counts where the body never ends', async () => {
  const receiver = await startReceiver();
  receiver.answer = (response) => void response.writeHead(202).write('wait');
  expect(await loopback({ ...post, url: receiver.url })).toMatchObject({
    status: 202,
    cause: null,
    answer: 'wait',
  });
  await receiver.close();
});

test('a server that says nothing, or nothing of HTTP, is not waited for', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  expect(await loopback({ ...post, url: `http://127.0.0.1:${port}/` })).toMatchObject({
    status: null,
    cause: 'no answer in time',
  });
  silent.on('connection', (socket) => socket.end('hello\r\n'));
  expect(await loopback({ ...post, url: `http://127.0.0.1:${port}/` })).toMatchObject({
    status: null,
    cause: 'not an HTTP answer',
  });
  silent.close();
});

test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.63.255.255', '2606:4700:4700::1111'])(
  '%s is public',
  (address) => expect(isPublicAddress({ address })).toBe(true),
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:a00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
  'not an address',
])('%s is not public', (address) => expect(isPublicAddress({ address })).toBe(false));

test('a setting names networks, by address or range', () => {
  const networks = listOf(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
  const named = ['127.0.0.1', '10.200.0.1', 'fd00::1'];
  for (const address of named) expect(isInNetworks(networks, { address })).toBe(true);
  for (const address of ['127.0.0.2', '11.0.0.1', 'fc00::1', '8.8.8.8', ''])
    expect(isInNetworks(networks, { address })).toBe(false);
  expect(isInNetworks(listOf([]), { address: '127.0.0.1' })).toBe(false);
});
