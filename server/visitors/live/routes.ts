import { PassThrough } from 'node:stream';
import { Gauge } from '@prometheus-io/client';
import { Type } from 'typebox';
import { apiPaths } from '../../../contract/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { openClientKeys } from '../../http/admission/client-address.ts';
import { SHUTTING_DOWN } from '../../http/graceful-shutdown.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { logFailure } from '../../http/request-log.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import type { Platform } from '../../module.ts';
import { openLiveStatus } from './live-status.ts';

const MAX_STREAMS = 10_000;
const MAX_PER_ADDRESS = 300;
/** Proxies and this server close sockets that are idle for longer. */
const ALIVE_EVERY_MS = 20_000;
const MAX_UNREAD_BYTES = 16 * 1024;
/** Time until a browser reconnects, spread so that not all do at once. */
const RETRY_MS = { least: 1_000, range: 9_000 };

export async function addLiveRoutes(
  server: HttpServer,
  { config, database, metrics }: Platform,
  getStatus: (memberId: string) => Promise<Member>,
): Promise<void> {
  const { keyOf } = openClientKeys(config);
  const live = await openLiveStatus({
    database,
    getStatus,
    onFailure: (error) => logFailure(server.log, 'warn', error, 'moves are not announced'),
  });
  const streams = new Set<PassThrough>();
  const perAddress = new Map<string, number>();
  new Gauge({
    name: 'waitlist_live_pages',
    help: 'Status pages that are open and notified of moves at once.',
    registers: [metrics.registry],
    collect() {
      this.set(streams.size);
    },
  });

  server.get(
    apiPaths.live,
    { schema: { hide: true, params: Type.Object({ memberId: Type.String() }) } },
    async (request, reply) => {
      const memberId = readMemberId(request.params.memberId);
      if (memberId === null) throw unknownMember();
      const key = keyOf(request.ip) ?? '';
      const fromHere = perAddress.get(key) ?? 0;
      // 204 stops the browser's retries. The page goes on with its own refresh.
      if (streams.size >= MAX_STREAMS || (key !== '' && fromHere >= MAX_PER_ADDRESS))
        return reply.code(204).send();

      const stream = new PassThrough();
      streams.add(stream);
      perAddress.set(key, fromHere + 1);
      stream.write(`retry: ${Math.round(RETRY_MS.least + Math.random() * RETRY_MS.range)}\n\n`);
      const stopWatching = live.watch(memberId, (member) => send(stream, member));
      const timer = setInterval(() => write(stream, ':\n\n'), ALIVE_EVERY_MS).unref();
      // A client that has only closed its side never reads this answer.
      const { socket } = request.raw;
      const end = () => stream.end();
      socket.once('end', end);
      stream.once('close', () => {
        socket.off('end', end);
        clearInterval(timer);
        stopWatching();
        streams.delete(stream);
        const left = (perAddress.get(key) ?? 1) - 1;
        if (left > 0) perAddress.set(key, left);
        else perAddress.delete(key);
      });
      return reply
        .headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
        .send(stream);
    },
  );

  server.server.on(SHUTTING_DOWN, () => {
    for (const stream of streams) stream.end();
  });
  server.addHook('onClose', () => live.close());
}

function send(stream: PassThrough, member: Member | null): void {
  if (member === null) stream.end('event: gone\ndata:\n\n');
  else write(stream, `data: ${JSON.stringify(member)}\n\n`);
}

function write(stream: PassThrough, text: string): void {
  if (stream.writableEnded) return;
  if (stream.readableLength > MAX_UNREAD_BYTES) stream.destroy();
  else stream.write(text);
}
