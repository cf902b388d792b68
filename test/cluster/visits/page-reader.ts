/** A visitor that keeps loading the landing page over HTTP/2 and TLS. */
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';

const AGAIN_AFTER_MS = 50;
const DEADLINE_MS = 2_000;

export type PageReader = {
  /** Complete pages. */
  readonly read: () => number;
  readonly failed: () => number;
  stop(): Promise<void>;
};

export function startPageReader(url: string, certificate: string): PageReader {
  let read = 0;
  let failed = 0;
  let isRunning = true;
  let session: ClientHttp2Session | undefined;

  async function readOnce(): Promise<void> {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(url, { ca: certificate });
      session.on('error', () => {}); // The request that follows fails.
    }
    if ((await statusOf(session)) === constants.HTTP_STATUS_OK) read += 1;
    else failed += 1;
  }

  const running = (async () => {
    while (isRunning) {
      await readOnce();
      await delay(AGAIN_AFTER_MS);
    }
    session?.destroy();
  })();
  return {
    read: () => read,
    failed: () => failed,
    async stop() {
      isRunning = false;
      await running;
    },
  };
}

/** The status of the landing page once it is complete; null when it breaks off. */
function statusOf(session: ClientHttp2Session): Promise<number | null> {
  return new Promise((resolve) => {
    const stream = session.request({ ':path': '/', 'accept-encoding': 'br' });
    let status: number | null = null;
    stream.setTimeout(DEADLINE_MS, () => stream.close(constants.NGHTTP2_CANCEL));
    stream.on('response', (headers) => {
      status = headers[':status'] ?? null;
    });
    stream.on('error', () => resolve(null));
    stream.on('close', () =>
      resolve(stream.rstCode === constants.NGHTTP2_NO_ERROR ? status : null),
    );
    stream.resume();
  });
}
