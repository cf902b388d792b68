import { isUnavailableError } from './postgres/is-unavailable-error.ts';

const PROBE_EVERY_MS = 1_000;
const SETTLED_AFTER_MS = 5_000;

export type OutageReport = {
  onAway(error: unknown): void;
  onBack(seconds: number): void;
};

export const NO_REPORT: OutageReport = { onAway() {}, onBack() {} };

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

  const isAway = () => timer !== null;
  return { notice, isAway, stop };
}
