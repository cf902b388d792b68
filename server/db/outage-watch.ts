import { isUnavailableError } from './postgres/is-unavailable-error.ts';

const PROBE_EVERY_MS = 1_000;
/** Failures within this time belong to one outage. */
const SETTLED_AFTER_MS = 5_000;

export type OutageReport = {
  onAway(error: unknown): void;
  /** `seconds`: from the first failure to the first answer. */
  onBack(seconds: number): void;
};

export const NO_REPORT: OutageReport = { onAway() {}, onBack() {} };

/** Reports the begin and the end of an outage once, however many queries fail. */
export function watchOutages(ping: () => Promise<void>, { onAway, onBack }: OutageReport) {
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

  /** Since the first failure, until the end was reported. */
  const isAway = () => timer !== null;
  return { notice, isAway, stop };
}
