/** What a server prints: log lines, and what people read at its start and end. */
import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type Config, isJournaled } from './config.ts';

const PERSONAL_KEYS = [
  'email',
  'address',
  'id',
  'memberId',
  'code',
  'referral_code',
  'referred_by',
  'to',
  'authorization',
  'cookie',
  'token',
  'key',
  'link',
];

/** Writes to stdout, or to `destination`. */
export function openLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  destination?: DestinationStream,
): Logger {
  const paths = PERSONAL_KEYS.flatMap((key) => [key, `*.${key}`]);
  return pino({ level: logLevel, redact: { paths, censor: '[removed]' } }, destination);
}

export type Terminal = Readonly<Record<'log' | 'warn' | 'fatal', (text: string) => void>> & {
  /** Whether a person reads it at once: what others print is kept. */
  readonly isWatched: boolean;
};

/** What people read at the start and the end; under systemd lines of the log, in its format. */
export function openTerminal(destination?: DestinationStream): Terminal {
  const fatal = (text: string) => void writeSync(process.stderr.fd, `${text}\n`);
  const { isTTY: isWatched = false } = process.stdout;
  if (!isJournaled()) return { log: console.log, warn: console.warn, fatal, isWatched };
  const log = openLog({ logLevel: 'info' }, destination);
  const write = (level: 'info' | 'warn' | 'fatal') => (text: string) =>
    log[level](text.trim().replace(/\s*\n\s*/g, '; '));
  return { log: write('info'), warn: write('warn'), fatal: write('fatal'), isWatched: false };
}
