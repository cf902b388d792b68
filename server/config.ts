/** The settings, read from the environment. The README's table explains them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEnvFile, unknownNames } from './env-file.ts';
import { parseRanges } from './parse-ranges.ts';
import { StartupError } from './startup-error.ts';
import { isWritableByOthers } from './writable-by-others.ts';

export type Config = {
  readonly port: number;
  readonly host: string;
  /** The origin in links, without a trailing slash. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Folder of backups without a name; null is the working folder. */
  readonly backupDir: string | null;
  /** The embedded database in `dataDir` is the default. */
  readonly databaseUrl: string | null;
  /** Addresses or CIDR ranges of proxies whose forwarding headers are trusted. */
  readonly trustProxy: readonly string[];
  readonly inviterEmail: 'full' | 'masked';
  /** When a referrer is credited: when the friend joins, or confirms their e-mail address. */
  readonly referralCredit: 'join' | 'confirm';
  /** Null stores mail in `dataDir`. */
  readonly smtpUrl: string | null;
  /** PEM of the accepted authorities; null accepts the usual ones. */
  readonly smtpCa: string | null;
  readonly mailFrom: string;
  /** Mails per second, of all servers together. */
  readonly mailRate: number;
  /** Most providers sign mail themselves. */
  readonly dkim: DkimKey | null;
  /** Verifies reports of bounces and complaints; null refuses them. */
  readonly mailWebhookSecret: string | null;
  /** Private addresses and CIDR ranges that webhooks may call, also by http. */
  readonly webhookNetworks: readonly string[];
  /** Signs the links in mails; null creates one in `dataDir`. */
  readonly secretKey: string | null;
  /** Bearer token of the operator; null creates one in `dataDir`. */
  readonly operatorToken: string | null;
  /** Address that takes the code of a pass; null shows the code alone. */
  readonly shopUrl: string | null;
  readonly isMailingDigest: boolean;
  readonly isLimiting: boolean;
  readonly logLevel: LogLevel;
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** 32 random hexadecimal digits have fewer different ones once in five billion draws. */
const MIN_DIFFERENT_CHARACTERS = 7;

type DkimKey = { readonly domain: string; readonly selector: string; readonly privateKey: string };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

type ReadText = (name: string) => string | null;

/**
 * The settings of the process. A file `.env` in the working folder sets those that the environment
 * does not. Throws one StartupError that lists every problem, or one that the file is unreadable.
 */
export function loadConfig(): Config {
  const file = readEnvFile('.env');
  for (const [name, value] of Object.entries(file)) process.env[name] ??= value;
  return readConfig(process.env, Object.keys(file));
}

/** `npm run dev` and the browser tests set SITE_DIR to serve their own builds. */
export function readSiteDir({ SITE_DIR } = process.env): string {
  return resolve(SITE_DIR ?? fileURLToPath(new URL('../dist', import.meta.url)));
}

/**
 * Throws one StartupError that lists every invalid setting, and every name in the `.env` file that
 * is no setting.
 */
export function readConfig(
  environment: NodeJS.ProcessEnv,
  namesInFile: readonly string[] = [],
): Config {
  const problems: string[] = [];
  const settings = new Set<string>();
  const text: ReadText = (name) => {
    settings.add(name);
    return environment[name]?.trim() || null;
  };

  function read<T>(
    name: string,
    fallback: T,
    parse: (value: string) => T | null,
    expected: string,
  ): T {
    const value = text(name);
    if (value === null) return fallback;
    const parsed = parse(value);
    if (parsed !== null) return parsed;
    problems.push(`${name} must be ${expected}.`);
    return fallback;
  }

  const port = read('PORT', 3000, parsePort, 'a whole number from 1 to 65535');
  // For the name Fastify would open a second server, on IPv6, without load shedding.
  const host = text('HOST')?.replace(/^localhost$/, '127.0.0.1') ?? '127.0.0.1';
  const publicUrl = read(
    'PUBLIC_URL',
    defaultOrigin(host, port),
    parseOrigin,
    'an origin such as https://example.com',
  );
  const config: Config = {
    port,
    host,
    publicUrl,
    dataDir: resolve(text('DATA_DIR') ?? 'data'),
    backupDir: read('BACKUP_DIR', null, (path) => resolve(path), 'a folder'),
    databaseUrl: read(
      'DATABASE_URL',
      null,
      urlOf('postgres:', 'postgresql:'),
      'a URL that begins with postgres://',
    ),
    trustProxy: read(
      'TRUST_PROXY',
      [],
      parseRanges,
      'a comma-separated list of IP addresses or CIDR ranges',
    ),
    inviterEmail: read('INVITER_EMAIL', 'full', oneOf('full', 'masked'), 'full or masked'),
    referralCredit: read('REFERRAL_CREDIT', 'join', oneOf('join', 'confirm'), 'join or confirm'),
    smtpUrl: read(
      'SMTP_URL',
      null,
      parseSmtpUrl,
      'a URL that begins with smtp:// or smtps:// and names a host; ?tls=off fits smtp:// only',
    ),
    smtpCa: readSmtpCa(text, problems),
    mailFrom: read(
      'MAIL_FROM',
      `waitlist@${mailDomain(publicUrl)}`,
      parseAddress,
      'one e-mail address',
    ),
    mailRate: read('MAIL_RATE', 10, parseRate, 'a number from 0.1 to 1000 (mails per second)'),
    dkim: readDkim(text, problems),
    mailWebhookSecret: read(
      'MAIL_WEBHOOK_SECRET',
      null,
      parseWebhookSecret,
      'whsec_ followed by at least 24 bytes in Base64',
    ),
    webhookNetworks: read(
      'WEBHOOK_NETWORKS',
      [],
      parseRanges,
      'a comma-separated list of IP addresses or CIDR ranges',
    ),
    secretKey: read(
      'SECRET_KEY',
      null,
      parseSecretKey,
      'at least 32 characters long, and the same on all servers',
    ),
    operatorToken: read(
      'OPERATOR_TOKEN',
      null,
      parseToken,
      'at least 32 random characters without spaces, such as those of openssl rand -hex 32',
    ),
    shopUrl: read('SHOP_URL', null, urlOf('https:'), 'a URL that begins with https://'),
    isMailingDigest: read('DIGEST', 'on', oneOf('on', 'off'), 'on or off') === 'on',
    isLimiting: read('LIMITS', 'on', oneOf('on', 'off'), 'on or off') === 'on',
    logLevel: read('LOG_LEVEL', 'warn', oneOf(...LOG_LEVELS), `one of ${LOG_LEVELS.join(', ')}`),
  };
  problems.push(...unknownNames(namesInFile, [...settings]));
  if (problems.length > 0) throw new StartupError(problems.join('\n'));
  return config;
}

export function defaultOrigin(host: string, port: number): string {
  const isWildcard = host === '0.0.0.0' || host === '::';
  const name = isWildcard ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function parsePort(value: string): number | null {
  return /^\d{1,5}$/.test(value) && Number(value) > 0 && Number(value) <= 65_535
    ? Number(value)
    : null;
}

function parseOrigin(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isOrigin =
    url !== null &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '';
  return isOrigin && /^https?:$/.test(url.protocol) ? url.origin : null;
}

function urlOf(...protocols: string[]): (value: string) => string | null {
  return (value) =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value : null;
}

function parseSmtpUrl(value: string): string | null {
  if (urlOf('smtp:', 'smtps:')(value) === null) return null;
  const { protocol, hostname, searchParams } = new URL(value);
  // With smtps, TLS cannot be switched off.
  const isContradiction = protocol === 'smtps:' && searchParams.get('tls') === 'off';
  return hostname !== '' && !isContradiction ? value : null;
}

function oneOf<const T extends string>(...words: T[]): (value: string) => T | null {
  return (value) => words.find((word) => word === value) ?? null;
}

function parseAddress(value: string): string | null {
  return /^[^\s@<>"',;]+@[^\s@<>"',;]+$/.test(value) ? value : null;
}

function parseRate(value: string): number | null {
  return /^\d+(\.\d+)?$/.test(value) && Number(value) >= 0.1 && Number(value) <= 1000
    ? Number(value)
    : null;
}

function parseWebhookSecret(value: string): string | null {
  const bytes = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(value)?.[1];
  return bytes !== undefined && Buffer.from(bytes, 'base64').length >= 24 ? value : null;
}

function parseSecretKey(value: string): string | null {
  return value.length >= 32 ? value : null;
}

/** All servers accept the same token, so it must resist guessing. */
function parseToken(value: string): string | null {
  return /^[!-~]{32,}$/.test(value) && new Set(value).size >= MIN_DIFFERENT_CHARACTERS
    ? value
    : null;
}

function readSmtpCa(text: ReadText, problems: string[]): string | null {
  const path = text('SMTP_CA');
  if (path === null) return null;
  if (/[?&]tls=off\b/.test(text('SMTP_URL') ?? ''))
    problems.push('SMTP_CA has no use with ?tls=off in SMTP_URL. Remove one of them.');
  try {
    const pem = readFileSync(path, 'utf8');
    if (isWritableByOthers(path))
      problems.push(`Others can change SMTP_CA. Run: chmod go-w "${path}"`);
    const [first, ...others] = pem.match(CERTIFICATE) ?? [];
    for (const certificate of [first ?? '', ...others]) new X509Certificate(certificate);
    return pem;
  } catch {} // Reported below.
  problems.push('SMTP_CA must be the path of a readable file with certificates in PEM format.');
  return null;
}

function readDkim(text: ReadText, problems: string[]): DkimKey | null {
  const [domain, selector, path] = [
    text('DKIM_DOMAIN'),
    text('DKIM_SELECTOR'),
    text('DKIM_KEY_FILE'),
  ];
  if (domain === null && selector === null && path === null) return null;
  if (domain === null || selector === null || path === null) {
    problems.push(
      'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE belong together. Set all three or none.',
    );
    return null;
  }
  try {
    const privateKey = readFileSync(path, 'utf8');
    if (isWritableByOthers(path))
      problems.push(`Others can change DKIM_KEY_FILE. Run: chmod go-w "${path}"`);
    if (createPrivateKey(privateKey).asymmetricKeyType === 'rsa')
      return { domain, selector, privateKey };
  } catch {} // Reported below.
  problems.push('DKIM_KEY_FILE must be the path of an RSA private key in PEM format.');
  return null;
}

function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
}
