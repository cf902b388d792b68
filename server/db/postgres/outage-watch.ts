/** Tells when PostgreSQL goes away and when it is back: once each, however many queries fail. */
import { isUnavailableError } from './is-unavailable-error.ts';

const PROBE_EVERY_MS = 1_000;
/** Longer than a database that comes and goes stays away: its failures are one outage. */
const SETTLED_AFTER_MS = 5_000;

export type OutageReport = {
  /** The first query failed. */
  onAway(error: unknown): void;
  /** The database answers again; `seconds` from the first failure to the first answer. */
  onBack(seconds: number): void;
};

export type OutageWatch = {
  /** Call with every error of a query or connection; those of other kinds are ignored. */
  notice(error: unknown): void;
  stop(): void;
};

/** `ping` rejects while the database is away. */
export function watchOutages(
  ping: () => Promise<void>,
  { onAway, onBack }: OutageReport,
): OutageWatch {
  let timer: NodeJS.Timeout | null = null;
  let failedAt = 0;
  let answeredAt: number | null = null;
  let isProbing = false;

  function notice(error: unknown): void {
    if (!isUnavailableError(error)) return;
    answeredAt = null;
    if (timer !== null) return;
    failedAt = performance.now();
    timer = setInterval(() => void probe(), PROBE_EVERY_MS).unref();
    onAway(error);
  }

  async function probe(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    const isBack = await ping().then(
      () => true,
      () => false,
    );
    isProbing = false;
    if (!isBack) answeredAt = null;
    if (!isBack || timer === null) return;
    const now = performance.now();
    answeredAt ??= now;
    if (now - answeredAt < SETTLED_AFTER_MS) return;
    stop();
    onBack((answeredAt - failedAt) / 1000);
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  return { notice, stop };
}
