/** Opens status pages by their streams, for `live.ts`, which talks to it by messages. */
import { connect, type Socket } from 'node:net';
import { apiPaths } from '../../contract/paths.ts';

export type PagesOrder = { readonly port: number; readonly ids: readonly string[] };
/** `at`: milliseconds since 1970, with fractions. */
export type PagesReport =
  | { readonly kind: 'open'; readonly pages: number }
  | { readonly kind: 'told'; readonly id: string; readonly count: number; readonly at: number };

/** More at a time would overflow the server's backlog. */
const AT_ONCE = 250;

function open(port: number, id: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let isOpen = false;
    socket.on('error', reject);
    socket.on('data', (bytes) => {
      const at = performance.timeOrigin + performance.now();
      const text = bytes.toString();
      const count = /"referral_count":(\d+)/.exec(text)?.[1];
      if (count === undefined) return;
      if (!isOpen) resolve(socket);
      else report({ kind: 'told', id, count: Number(count), at });
      isOpen = true;
    });
    socket.write(`GET ${apiPaths.live(id)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  });
}

function report(message: PagesReport): void {
  process.send?.(message);
}

process.on('message', async ({ port, ids }: PagesOrder) => {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await Promise.all(ids.slice(from, from + AT_ONCE).map((id) => open(port, id)));
  report({ kind: 'open', pages: ids.length });
});
process.on('disconnect', () => process.exit());
