/** Posts by https: the address is pinned, and the certificate is still checked by the name. */
import dns from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeCertificate } from '../../test/support/certificate.ts';
import { openPost } from './post-event.ts';

const HOST = 'receiver.example';
const authorities = getCACertificates('default');
const post = openPost(['127.0.0.1'], 5_000);

let close: () => void;
beforeEach(() => {
  vi.spyOn(dns, 'lookup').mockImplementation(
    async () => [{ address: '127.0.0.1', family: 4 }] as never,
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  setDefaultCACertificates(authorities);
  close();
});

/** Posts to HOST, where a server shows the certificate of a host; returns what it was sent, too. */
async function postTo(certified: { readonly host: string; readonly isTrusted: boolean }) {
  const { key, certificate } = makeCertificate(certified);
  if (certified.isTrusted) setDefaultCACertificates([...authorities, certificate]);
  const received: unknown[] = [];
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push([
      (request.socket as { servername?: string }).servername,
      request.headers.host,
      body,
    ]);
    response.end('thanks');
  }).listen(0, '127.0.0.1');
  close = () => server.close();
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const result = await post({ url: `https://${HOST}:${port}/`, headers: {}, body: '{}' });
  return { result, received, port };
}

test('a receiver with a certificate for its name gets the event', async () => {
  const { result, received, port } = await postTo({ host: HOST, isTrusted: true });
  expect(result).toMatchObject({ status: 200, cause: null, answer: 'thanks' });
  expect(received).toEqual([[HOST, `${HOST}:${port}`, '{}']]);
});

test.each([
  [{ host: 'other.example', isTrusted: true }, 'certificate of another host'],
  [{ host: HOST, isTrusted: false }, 'certificate not trusted'],
])('a receiver with %j gets nothing: %s', async (certified, cause) => {
  const { result, received } = await postTo(certified);
  expect(result).toMatchObject({ status: null, cause, answer: null });
  expect(received).toEqual([]);
});
