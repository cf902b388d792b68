/** Notices soon that a mail server that was away is back: mails that failed meanwhile would wait for up to half an hour. */

export type ServerWatch = {
  /** Then mails are not worth trying. */
  isAway(): boolean;
  /** A mail failed in a way that may be the server's. */
  suspect(): void;
  stop(): void;
};

const PROBE_EVERY_MS = 2_000;

/**
 * Once it is suspected, asks again and again, without waiting for earlier questions, which may hang. `probe` rejects while the server is
 * away.
 */
export function openServerWatch(options: {
  probe: () => Promise<void>;
  /** The server answers; `wasAway` says whether it did not at first. */
  onThere: (wasAway: boolean) => void;
}): ServerWatch {
  let timer: NodeJS.Timeout | undefined;
  let probes = 0;

  async function look(): Promise<void> {
    probes += 1;
    const watchOfThis = timer;
    const isThere = await options.probe().then(
      () => true,
      () => false,
    );
    if (!isThere || timer === undefined || timer !== watchOfThis) return;
    const wasAway = probes > 1;
    end();
    options.onThere(wasAway);
  }

  function end(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    isAway: () => timer !== undefined,
    suspect() {
      if (timer !== undefined) return;
      probes = 0;
      timer = setInterval(() => void look(), PROBE_EVERY_MS).unref();
      void look();
    },
    stop: end,
  };
}
