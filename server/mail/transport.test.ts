import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMailTransport } from './transport.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'waitlist-mail-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const letter = { subject: 'Your link', text: 'https://line.example.com/x', html: '<p>x</p>' };

function open(smtpUrl: string | null) {
  return openMailTransport({ smtpUrl, mailFrom: 'line@example.com', dataDir, senderName: 'Paper, "Fox"' });
}

test('without an SMTP server each letter is a file', async () => {
  const transport = open(null);
  await transport.send({ ...letter, to: 'ada@example.com' });
  await transport.send({ ...letter, to: 'grace@example.com' });
  const names = readdirSync(join(dataDir, 'mail'));
  expect(names).toHaveLength(2);
  const texts = names.map((name) => readFileSync(join(dataDir, 'mail', name), 'utf8'));
  expect(texts.join('\n')).toMatch(/^To: ada@example\.com\r$/m);
  expect(texts[0]).toContain('https://line.example.com/x');
});

test.each([
  'a@example.com\r\nBcc: b@example.com',
  'a@example.com, b@example.com',
  'a@example.com;b@example.com',
  'A <a@example.com>',
  'nobody',
])('%j is not one recipient', async (to) => {
  await expect(open(null).send({ ...letter, to })).rejects.toThrow('exactly one recipient');
  expect(existsSync(join(dataDir, 'mail'))).toBe(false);
});

test('with an SMTP server the letter goes to exactly the one address', async () => {
  const server = await startMailbox();
  const transport = open(`smtp://127.0.0.1:${server.port}`);
  await transport.send({ ...letter, to: 'ada@example.com' });
  transport.close();
  server.close();
  expect(server.received().match(/^RCPT TO:.*$/gm)).toEqual(['RCPT TO:<ada@example.com>']);
  expect(server.received()).toContain('https://line.example.com/x');
  expect(existsSync(join(dataDir, 'mail'))).toBe(false);
});

/** As much of an SMTP server as one letter needs. */
async function startMailbox() {
  let received = '';
  const server = createServer((socket) => {
    let isData = false;
    socket.write('220 mailbox\r\n');
    socket.on('data', (chunk) => {
      const text = String(chunk);
      received += text.replaceAll('\r', '');
      if (isData ? text.endsWith('\r\n.\r\n') : true) {
        const isDataCommand = !isData && /^DATA/im.test(text);
        isData = isDataCommand;
        socket.write(isDataCommand ? '354 go on\r\n' : '250 ok\r\n');
      }
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, received: () => received, close: () => server.close() };
}
