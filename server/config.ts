import { fstatSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REFERRAL_CREDITS } from '../contract/member-states.ts';
import { readEnvFile, unknownNames } from './env-file.ts';
import { type ReadText, readDkim, readSmtpCa } from './pem-settings.ts';
import { StartupError } from './startup-error.ts';

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** 32 random hexadecimal digits have fewer different ones once in five billion draws. */
const MIN_DIFFERENT_CHARACTERS = 7;

const DRAND_RELAYS = [
  'https://api.drand.sh',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
  'https://drand.cloudflare.com',
];

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

type Kind<T> = { readonly expected: string; parse(value: string): T | null };

const PORT = numberOf('a whole number from 1 to 65535', /^\d{1,5}$/, { min: 1, max: 65_535 });
const RATE = numberOf('a number from 0.001 to 1000 (mails per second)', /^\d+(\.\d+)?$/, {
  min: 0.001,
  max: 1000,
});
const MAILS = numberOf('a whole number from 1 to 100000000', /^\d{1,9}$/, {
  min: 1,
  max: 100_000_000,
});
const DAYS = numberOf('a whole number of days from 1 to 3650', /^\d{1,4}$/, { min: 1, max: 3650 });
const RANGES: Kind<readonly string[]> = {
  expected: 'a comma-separated list of IP addresses or CIDR ranges',
  parse: parseRanges,
};
const ON_OR_OFF = oneOf('on', 'off');
const ORIGIN: Kind<string> = {
  expected: 'an origin such as https://example.com',
  parse(value) {
    const url = URL.canParse(value) ? new URL(value) : null;
    if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '') return null;
    return url.username === '' && /^https?:$/.test(url.protocol) ? url.origin : null;
  },
};
const RELAYS: Kind<readonly string[]> = {
  expected: 'a comma-separated list of origins such as https://api.drand.sh, or off',
  parse(value) {
    if (value === 'off') return [];
    const relays = value.split(',').map((relay) => ORIGIN.parse(relay.trim()));
    return relays.some((relay) => relay === null) ? null : (relays as string[]);
  },
};
const DATA_FOLDER: Kind<string> = {
  expected: 'a folder of its own, not / and without .. in its path',
  parse(value) {
    const path = resolve(value);
    return path === dirname(path) || value.split(/[\\/]/).includes('..') ? null : path;
  },
};
const DATABASE_URL = textOf('a URL that begins with postgres://', (value) =>
  isUrlOf(value, 'postgres:', 'postgresql:'),
);
const SHOP_URL = textOf('a URL that begins with https://', (value) => isUrlOf(value, 'https:'));
const SMTP_URL = textOf(
  'a URL that begins with smtp:// or smtps:// and names a host; ?tls=off fits smtp:// only',
  (value) => {
    if (!isUrlOf(value, 'smtp:', 'smtps:')) return false;
    const { protocol, hostname, searchParams } = new URL(value);
    return hostname !== '' && !(protocol === 'smtps:' && searchParams.get('tls') === 'off');
  },
);
const ADDRESS = textOf('one e-mail address', (value) =>
  /^[^\s@<>"',;]+@[^\s@<>"',;]+$/.test(value),
);
const WEBHOOK_SECRET = textOf('whsec_ followed by at least 24 bytes in Base64', (value) => {
  const bytes = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(value)?.[1];
  return bytes !== undefined && Buffer.from(bytes, 'base64').length >= 24;
});
const SECRET_KEY = textOf(
  'at least 32 characters long, and the same on all servers',
  (value) => value.length >= 32,
);
/** All servers accept the same token, so it must resist guessing. */
const TOKEN = textOf(
  'at least 32 random characters without spaces, such as those of openssl rand -hex 32',
  (value) => /^[!-~]{32,}$/.test(value) && new Set(value).size >= MIN_DIFFERENT_CHARACTERS,
);

function textOf(expected: string, isValid: (value: string) => boolean): Kind<string> {
  return { expected, parse: (value) => (isValid(value) ? value : null) };
}

function numberOf(
  expected: string,
  form: RegExp,
  { min, max }: { min: number; max: number },
): Kind<number> {
  const isValid = (value: string) =>
    form.test(value) && Number(value) >= min && Number(value) <= max;
  return { expected, parse: (value) => (isValid(value) ? Number(value) : null) };
}

function oneOf<const T extends string>(...words: T[]): Kind<T> {
  const expected = words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`;
  return { expected, parse: (value) => words.find((word) => word === value) ?? null };
}

function isUrlOf(value: string, ...protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}

/** A file `.env` sets what the environment does not. Throws as `readConfig` does. */
export function loadConfig(): Config {
  const file = readEnvFile('.env');
  for (const [name, value] of Object.entries(file)) process.env[name] ??= value;
  return readConfig(process.env, Object.keys(file));
}

/** The socket that systemd holds (`man sd_listen_fds`), or null. */
export function readPassedSocket({ LISTEN_PID, LISTEN_FDS } = process.env): number | null {
  return LISTEN_PID === String(process.pid) && LISTEN_FDS === '1' ? 3 : null;
}

/** Whether systemd puts what this process prints into its journal (`man systemd.exec`). */
export function isJournaled({ JOURNAL_STREAM } = process.env): boolean {
  if (JOURNAL_STREAM === undefined) return false;
  const { dev, ino } = fstatSync(process.stdout.fd);
  return JOURNAL_STREAM === `${dev}:${ino}`;
}

export function readSiteDir({ SITE_DIR } = process.env): string {
  return resolve(SITE_DIR ?? fileURLToPath(new URL('../dist', import.meta.url)));
}

/** Throws one StartupError that lists every invalid setting. */
export function readConfig(environment: NodeJS.ProcessEnv, namesInFile: readonly string[] = []) {
  const problems: string[] = [];
  const settings = new Set<string>();
  const text: ReadText = (name) => {
    settings.add(name);
    return environment[name]?.trim() || null;
  };

  function read<T>(name: string, fallback: T, { parse, expected }: Kind<T>): T {
    const value = text(name);
    if (value === null) return fallback;
    const parsed = parse(value);
    if (parsed !== null) return parsed;
    problems.push(`${name} must be ${expected}.`);
    return fallback;
  }

  const port = read('PORT', 3000, PORT);
  // For the name Fastify would open a second server, on IPv6, without load shedding.
  const host = text('HOST')?.replace(/^localhost$/, '127.0.0.1') ?? '127.0.0.1';
  const publicUrl = read('PUBLIC_URL', defaultOrigin(host, port), ORIGIN);
  const backupDir = text('BACKUP_DIR');
  const config = {
    port,
    host,
    publicUrl,
    dataDir: read('DATA_DIR', resolve('data'), DATA_FOLDER),
    backupDir: backupDir === null ? null : resolve(backupDir),
    databaseUrl: read('DATABASE_URL', null, DATABASE_URL),
    trustProxy: read('TRUST_PROXY', [], RANGES),
    inviterEmail: read('INVITER_EMAIL', 'full', oneOf('full', 'masked')),
    referralCredit: read('REFERRAL_CREDIT', 'settle', oneOf(...REFERRAL_CREDITS)),
    /** Null stores mail in `dataDir`. */
    smtpUrl: read('SMTP_URL', null, SMTP_URL),
    /** PEM of the accepted authorities; null accepts the system's. */
    smtpCa: readSmtpCa(text, problems),
    mailFrom: read('MAIL_FROM', `waitlist@${mailDomain(publicUrl)}`, ADDRESS),
    mailRate: read('MAIL_RATE', 10, RATE),
    mailHourly: read('MAIL_HOURLY', null, MAILS),
    mailDaily: read('MAIL_DAILY', null, MAILS),
    /** Offers begin although nobody gets their mails. */
    isTrial: read('TRIAL', 'off', ON_OR_OFF) === 'on',
    dkim: readDkim(text, problems),
    /** Verifies reports of bounces and complaints; null refuses them. */
    mailWebhookSecret: read('MAIL_WEBHOOK_SECRET', null, WEBHOOK_SECRET),
    webhookNetworks: read('WEBHOOK_NETWORKS', [], RANGES),
    drandRelays: read('DRAND_RELAYS', DRAND_RELAYS, RELAYS),
    /** Keys that are null are created in `dataDir`. */
    secretKey: read('SECRET_KEY', null, SECRET_KEY),
    operatorToken: read('OPERATOR_TOKEN', null, TOKEN),
    shopUrl: read('SHOP_URL', null, SHOP_URL),
    addressDays: read('ADDRESS_DAYS', 30, DAYS),
    isMailingDigest: read('DIGEST', 'on', ON_OR_OFF) === 'on',
    isLimiting: read('LIMITS', 'on', ON_OR_OFF) === 'on',
    logLevel: read('LOG_LEVEL', 'warn', oneOf(...LOG_LEVELS)),
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

function parseRanges(value: string): string[] | null {
  const ranges = value.split(',').map((range) => range.trim());
  return ranges.every(isRange) ? ranges : null;
}

function isRange(range: string): boolean {
  const [address = '', prefix, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  try {
    new BlockList().addSubnet(
      address,
      /^\d+$/.test(prefix) ? Number(prefix) : -1,
      family === 6 ? 'ipv6' : 'ipv4',
    );
    return true;
  } catch {
    return false;
  }
}

function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : 'localhost';
}
