/** Notices within seconds that the mail server is back; the back-off is up to half an hour. */
const PROBE_EVERY_MS = 2_000;

export function openSmtpHealth(options: {
  probe: () => Promise<void>;
  /** The server answers; `wasDown` is false when it answered the first probe. */
  onUp: (wasDown: boolean) => void;
  onDown: () => void;
}) {
  let timer: NodeJS.Timeout | undefined;
  let probes = 0;

  async function probe(): Promise<void> {
    probes += 1;
    const ownTimer = timer;
    const isUp = await options.probe().then(
      () => true,
      () => false,
    );
    if (timer === undefined || timer !== ownTimer) return;
    if (!isUp) return options.onDown();
    const wasDown = probes > 1;
    stop();
    options.onUp(wasDown);
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    isDown: () => timer !== undefined,
    suspect(): void {
      if (timer !== undefined) return;
      probes = 0;
      timer = setInterval(() => void probe(), PROBE_EVERY_MS).unref();
      void probe();
    },
    stop,
  };
}
