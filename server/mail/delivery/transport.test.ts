import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeCertificate } from '../../../test/support/certificate.ts';
import { provideFolder } from '../../../test/support/provide-folder.ts';
import {
  headerOf,
  type Mailbox,
  type Reaction,
  startMailbox,
} from '../../../test/support/smtp-mailbox.ts';
import { readFailure } from './smtp-failure-rules.ts';
import {
  type MailTransport,
  type OutgoingMail,
  openMailTransport,
  type TransportOptions,
} from './transport.ts';

const pathOf = provideFolder();
let dataDir: string;
const opened: (MailTransport | Mailbox)[] = [];
beforeEach(() => {
  dataDir = pathOf();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

const outgoing: OutgoingMail = {
  to: 'ada@example.com',
  memberId: '6b1f8a52-5a0e-4c0f-9d6c-0f6d2f1f7a01',
  jobId: '0e4c1d9a-41d5-4a06-8a0e-6a7f3a0b8f11',
  subject: 'Your link',
  text: 'https://line.example.com/x',
  html: '<p>x</p>',
  unsubscribeLink: `https://line.example.com/preferences/${'t'.repeat(55)}/unsubscribe`,
};

const SETTINGS = {
  smtpCa: null,
  mailFrom: 'line@example.com',
  dkim: null,
  senderName: 'Paper, "Fox"',
};

function open(smtpUrl: string | null, settings: Partial<TransportOptions> = {}) {
  const transport = openMailTransport({
    ...SETTINGS,
    smtpUrl,
    dataDir,
    ...settings,
  });
  opened.push(transport);
  return transport;
}

async function mailbox(react?: Reaction): Promise<Mailbox> {
  const box = await startMailbox(react && { react });
  opened.push(box);
  return box;
}

test("without SMTP a mail is a file in its member's folder, and a repeat replaces it", async () => {
  const transport = open(null);
  await transport.send(outgoing);
  await transport.send(outgoing);
  await transport.send({ ...outgoing, jobId: 'another' });
  const folder = join(dataDir, 'mail', outgoing.memberId);
  expect(readdirSync(folder).sort()).toEqual([`${outgoing.jobId}.eml`, 'another.eml'].sort());
  const text = readFileSync(join(folder, `${outgoing.jobId}.eml`), 'utf8');
  expect(headerOf({ raw: text }, 'To')).toBe('ada@example.com');
  expect(text).toContain('https://line.example.com/x');
});

test.each([
  'a@example.com\r\nBcc: b@example.com',
  'a@example.com, b@example.com',
  'a@example.com;b@example.com',
  'A <a@example.com>',
  'a b@example.com',
  'a@b@example.com',
  'nobody',
])('%j is refused: not exactly one recipient', async (to) => {
  await expect(open(null).send({ ...outgoing, to })).rejects.toThrow('exactly one recipient');
  expect(existsSync(join(dataDir, 'mail'))).toBe(false);
});

test('a subject of two lines is refused', async () => {
  await expect(
    open(null).send({ ...outgoing, subject: 'Hi\r\nBcc: b@example.com' }),
  ).rejects.toThrow('one line');
});

test('a mail goes to one address, with headers to unsubscribe and to detect repeats', async () => {
  const box = await mailbox();
  await open(box.url).send(outgoing);
  const [mail] = await box.waitFor(1);
  if (!mail) throw new Error('no mail');
  expect(mail).toMatchObject({ from: 'line@example.com', to: ['ada@example.com'] });
  expect(headerOf(mail, 'Message-ID')).toBe(`<${outgoing.jobId}@example.com>`);
  expect(headerOf(mail, 'List-Unsubscribe')).toBe(`<${outgoing.unsubscribeLink}>`);
  expect(headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(headerOf(mail, 'From')).toBe('"Paper, \\"Fox\\"" <line@example.com>');
  expect(headerOf(mail, 'Auto-Submitted')).toBe('auto-generated');
});

test('nodemailer does not resend a mail that the server took but did not acknowledge', async () => {
  let answers = 0;
  const box = await mailbox((moment) =>
    moment === 'received' && ++answers === 1 ? new Promise(() => {}) : undefined,
  );
  const transport = open(box.url);
  const sending = transport.send(outgoing);
  await box.waitFor(1);
  await box.close();
  await expect(sending).rejects.toThrow();
  expect(box.mails).toHaveLength(1);
});

test('a refusal carries its response code and command', async () => {
  const box = await mailbox((moment) => (moment === 'recipient' ? 550 : undefined));
  await expect(open(box.url).send(outgoing)).rejects.toMatchObject({
    responseCode: 550,
    command: 'RCPT TO',
  });
});

test('another machine is sent plain text only if the URL allows it', async () => {
  const box = await mailbox();
  const elsewhere = `smtp://0.0.0.0:${box.port}`; // This machine, but not recognised as such.
  await expect(open(elsewhere).send(outgoing)).rejects.toMatchObject({ command: 'STARTTLS' });
  expect(box.mails).toHaveLength(0);
  await open(`${elsewhere}?tls=off`).send(outgoing);
  expect(box.mails).toHaveLength(1);
});

/** A mail server with STARTTLS and a certificate that nobody knows. */
async function tlsMailbox(): Promise<Mailbox & { certificate: string }> {
  const { key, certificate } = makeCertificate({ host: 'localhost' });
  const box = await startMailbox({ key, cert: certificate });
  opened.push(box);
  return { ...box, certificate };
}

test('a mail server on this machine gets mail, whatever its certificate', async () => {
  const box = await tlsMailbox();
  for (const host of ['127.0.0.1', 'localhost']) {
    const transport = open(`smtp://${host}:${box.port}`);
    await transport.probe();
    await transport.send(outgoing);
  }
  expect(box.mails.map(({ isSecure }) => isSecure)).toEqual([true, true]);
});

test('?tls=off never begins TLS, on this machine or another', async () => {
  const box = await tlsMailbox();
  for (const host of ['127.0.0.1', '0.0.0.0'])
    await open(`smtp://${host}:${box.port}?tls=off`).send(outgoing);
  expect(box.mails.map(({ isSecure }) => isSecure)).toEqual([false, false]);
});

test('a certificate is verified elsewhere, by a named authority if there is one', async () => {
  const box = await tlsMailbox();
  const causeOf = async (url: string, smtpCa: string | null) => {
    const sending = open(url, { smtpCa }).send(outgoing);
    return await sending.then(
      () => null,
      (error) => readFailure(error).cause,
    );
  };
  const elsewhere = `smtp://0.0.0.0:${box.port}`;
  expect(await causeOf(elsewhere, null)).toBe('certificate not trusted');
  expect(await causeOf(elsewhere, box.certificate)).toBe('certificate of another host');
  const local = `smtp://localhost:${box.port}`;
  expect(await causeOf(local, makeCertificate().certificate)).toBe('certificate not trusted');
  expect(box.mails).toEqual([]);
  expect(await causeOf(local, box.certificate)).toBeNull();
  expect(box.mails).toMatchObject([{ isSecure: true }]);
});

test('an authority in the certificate store of the machine is trusted', async () => {
  const box = await tlsMailbox();
  const store = join(dataDir, 'store.pem');
  writeFileSync(store, box.certificate);
  const options = { ...SETTINGS, dataDir, smtpUrl: `smtp://0.0.0.0:${box.port}` };
  const urlOf = (file: string) => JSON.stringify(new URL(file, import.meta.url));
  const program = `
    import { openMailTransport } from ${urlOf('./transport.ts')};
    import { readFailure } from ${urlOf('./smtp-failure-rules.ts')};
    const probe = openMailTransport(${JSON.stringify(options)}).probe();
    await probe.catch((error) => console.log(readFailure(error).cause));
    process.exit();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { env: { ...process.env, SSL_CERT_FILE: store } },
  );
  expect(stdout).toBe('certificate of another host\n');
});

test('a named authority asks for TLS on this machine, too', async () => {
  const box = await mailbox();
  const { certificate } = makeCertificate();
  await expect(
    open(`smtp://localhost:${box.port}`, { smtpCa: certificate }).send(outgoing),
  ).rejects.toMatchObject({ command: 'STARTTLS' });
  expect(box.mails).toEqual([]);
});

test.each<[string, string, (box: Mailbox) => string]>([
  ['nobody listens', 'connection refused', () => 'smtp://127.0.0.1:1'],
  ['TLS is not offered', 'TLS not offered', (box) => `smtp://0.0.0.0:${box.port}`],
  ['TLS comes too early', 'TLS failed', (box) => `smtps://0.0.0.0:${box.port}`],
])('when %s, the cause is named: %s', async (_what, cause, urlOf) => {
  const box = await mailbox();
  const error = await open(urlOf(box))
    .probe()
    .catch((reason: unknown) => reason);
  expect(readFailure(error).cause).toBe(cause);
});

test('a refused login is named', async () => {
  const box = await startMailbox({
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    onAuth: (_auth, _session, done) => done(new Error('Invalid login')),
  });
  opened.push(box);
  const error = await open(`smtp://ada:wrong@127.0.0.1:${box.port}`)
    .probe()
    .catch((reason: unknown) => reason);
  expect(readFailure(error)).toMatchObject({ cause: 'login refused', responseCode: 535 });
});

test('a test mail has the answer of the server, over a connection of its own', async () => {
  const box = await mailbox();
  const transport = open(box.url);
  const test = { ...outgoing, unsubscribeLink: null };
  expect(await transport.sendAlone(test)).toEqual({ answer: expect.stringMatching(/^250 /) });
  const [mail] = box.mails;
  expect(mail?.to).toEqual([outgoing.to]);
  expect(mail?.raw).not.toContain('List-Unsubscribe');
});

test('a test mail without an SMTP server is one file, which the next one replaces', async () => {
  const transport = open(null);
  const file = join(dataDir, 'mail', 'test', 'test.eml');
  const test = { ...outgoing, memberId: 'test' };
  for (const jobId of ['one', 'two'])
    expect(await transport.sendAlone({ ...test, jobId }, 'test')).toEqual({ file });
  expect(readdirSync(join(dataDir, 'mail', 'test'))).toEqual(['test.eml']);
});

test('an independent library accepts the DKIM signature over the headers that matter', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const box = await mailbox();
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await open(box.url, { dkim: { domain: 'example.com', selector: 'line', privateKey: pem } }).send(
    outgoing,
  );
  const [mail] = await box.waitFor(1);
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const record = `v=DKIM1; k=rsa; p=${key}`;
  const resolver = async (name: string) =>
    name === 'line._domainkey.example.com' ? [[record]] : [];
  const verify = (raw: string) => dkimVerify(Buffer.from(raw), { resolver });
  const { results } = await verify(mail?.raw ?? '');
  expect(results[0]).toMatchObject({ signingDomain: 'example.com', status: { result: 'pass' } });
  const signed = String(results[0]?.signingHeaders?.keys).toLowerCase().split(/:\s*/);
  expect(signed).toEqual(
    expect.arrayContaining(['from', 'subject', 'list-unsubscribe', 'list-unsubscribe-post']),
  );
  const { results: forged } = await verify((mail?.raw ?? '').replace('One-Click', 'Two-Click'));
  expect(forged[0]?.status.result).toBe('fail');
});
