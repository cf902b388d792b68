import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeCertificate } from '../test/support/certificate.ts';
import { provideFolder } from '../test/support/provide-folder.ts';
import { readConfig } from './config.ts';
import { StartupError } from './startup-error.ts';

const pathOf = provideFolder();

describe('settings', () => {
  test('by default the server is private, embedded and rate-limited', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      databaseUrl: null,
      trustProxy: [],
      inviterEmail: 'full',
      smtpUrl: null,
      smtpCa: null,
      mailFrom: 'waitlist@localhost',
      referralCredit: 'settle',
      mailRate: 10,
      mailHourly: null,
      mailDaily: null,
      isTrial: false,
      dkim: null,
      mailWebhookSecret: null,
      secretKey: null,
      operatorToken: null,
      backupDir: null,
      isLimiting: true,
    });
    expect(config.dataDir).toMatch(/[\\/]data$/);
  });

  test('all invalid settings are reported together, by name', () => {
    const settings = {
      PORT: '70000',
      PUBLIC_URL: 'example.com/x',
      LIMITS: 'maybe',
      TRUST_PROXY: '10.0.0.0/99',
    };
    expect(() => readConfig(settings)).toThrow(StartupError);
    try {
      readConfig(settings);
    } catch (error) {
      for (const name of Object.keys(settings)) expect(String(error)).toContain(name);
    }
  });

  test.each([
    ['PORT', '12a'],
    ['PORT', '-1'],
    ['PORT', '0'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['PUBLIC_URL', 'https://example.com/shop'],
    ['DATA_DIR', '/'],
    ['DATA_DIR', '/srv/..'],
    ['DATA_DIR', '../data'],
    ['DATA_DIR', './lines/../../data'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtps:///mail.example.com'],
    ['SMTP_URL', 'smtp:mail.example.com'],
    ['SMTP_URL', 'smtps://mail.example.com?tls=off'],
    ['SMTP_CA', '/nowhere/ca.pem'],
    ['SMTP_CA', fileURLToPath(import.meta.url)],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_RATE', '0.0009'],
    ['MAIL_HOURLY', '0'],
    ['MAIL_DAILY', '1.5'],
    ['TRIAL', 'yes'],
    ['INVITER_EMAIL', 'none'],
    ['LOG_LEVEL', 'loud'],
    ['OPERATOR_TOKEN', 'b8Zt0Qx3vK'],
    ['OPERATOR_TOKEN', 'abcabc'.repeat(10)],
    ['OPERATOR_TOKEN', 'a pass phrase of the operator, with spaces'],
  ])('%s=%s is refused', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  test('the public origin has no trailing slash and sets the mail domain', () => {
    const config = readConfig({ PUBLIC_URL: 'https://line.example.com/' });
    expect(config.publicUrl).toBe('https://line.example.com');
    expect(config.mailFrom).toBe('waitlist@line.example.com');
  });

  test('localhost is one address, not also that of IPv6', () => {
    expect(readConfig({ HOST: 'localhost' }).host).toBe('127.0.0.1');
  });

  test('a server that listens on all addresses is reached as localhost', () => {
    expect(readConfig({ HOST: '0.0.0.0', PORT: '80' }).publicUrl).toBe('http://localhost:80');
    expect(readConfig({ HOST: '::1', PORT: '80' }).publicUrl).toBe('http://[::1]:80');
  });

  test('a DKIM key that others can change is refused, with the command to fix it', () => {
    const path = pathOf('key.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const settings = { DKIM_DOMAIN: 'example.com', DKIM_SELECTOR: 'line', DKIM_KEY_FILE: path };
    chmodSync(path, 0o620);
    expect(() => readConfig(settings)).toThrow(`chmod go-w "${path}"`);
    chmodSync(path, 0o644);
    expect(readConfig(settings).dkim).toMatchObject({ domain: 'example.com', selector: 'line' });
  });

  test('a certificate authority of the mail server is one that can have an effect', () => {
    const path = pathOf('ca.pem');
    const { certificate } = makeCertificate();
    writeFileSync(path, certificate, { mode: 0o644 });
    const smtpUrl = 'smtp://mail.example.com';
    expect(readConfig({ SMTP_URL: smtpUrl, SMTP_CA: path }).smtpCa).toBe(certificate);
    expect(() => readConfig({ SMTP_URL: `${smtpUrl}?tls=off`, SMTP_CA: path })).toThrow(
      'SMTP_CA has no use with ?tls=off',
    );
    chmodSync(path, 0o664);
    expect(() => readConfig({ SMTP_CA: path })).toThrow(`chmod go-w "${path}"`);
  });

  test('a random token of 32 characters is accepted', () => {
    const token = randomBytes(16).toString('hex');
    expect(readConfig({ OPERATOR_TOKEN: token }).operatorToken).toBe(token);
  });

  test('names in the .env file that are no settings are reported with all other problems', () => {
    const read = () => readConfig({ LIMITS: 'maybe' }, ['PROT', 'LIMITS', 'PGSSLMODE', 'SITE']);
    expect(read).toThrow(
      'LIMITS must be on or off.\n.env sets PROT, which is not a setting: did you mean PORT?',
    );
    expect(read).not.toThrow(/PGSSLMODE|SITE/);
  });

  test('an empty setting is ignored', () => {
    expect(readConfig({ DATABASE_URL: ' ', PORT: '' })).toMatchObject({
      databaseUrl: null,
      port: 3000,
    });
  });
});
