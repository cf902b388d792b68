/** A real HTTP server that receives webhooks and checks their signatures. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

type ReceivedEvent = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Record<string, unknown> & { readonly member_id: string };
  readonly signatures: readonly string[];
  readonly at: number;
};

/** Answers a request, or leaves it without an answer. 200 by default. */
export type Answer = (
  response: ServerResponse,
  event: ReceivedEvent,
  request: IncomingMessage,
) => void | Promise<void>;

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const PATIENCE_MS = 60_000;

export async function startReceiver(port = 0) {
  const events: ReceivedEvent[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  let forged = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    if (receiver.secrets.length > 0 && !isSigned(receiver.secrets, body, headers)) {
      forged += 1;
      response.writeHead(401).end();
      return;
    }
    const event = {
      ...JSON.parse(body),
      id: headers['webhook-id'],
      signatures: headers['webhook-signature']?.split(' ') ?? [],
      at: performance.now(),
    } as ReceivedEvent;
    events.push(event);
    await receiver.answer(response, event, request);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const receiver = {
    url: `http://127.0.0.1:${own}/hook?token=very-secret`,
    port: own,
    /** Deliveries in the order of their arrival. */
    events,
    /** The largest number of requests that were under way at once. */
    mostAtOnce: () => mostAtOnce,
    /** Requests whose signature is wrong with each of the secrets. */
    forged: () => forged,
    answer: ((response) => void response.writeHead(200).end('thanks')) as Answer,
    /** The secrets that signatures are checked with; none: they are not checked. */
    secrets: [] as string[],
    async waitFor(count: number, type?: string): Promise<ReceivedEvent[]> {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const found = events.filter((event) => type === undefined || event.type === type);
        if (found.length >= count) return found;
        if (Date.now() > deadline)
          throw new Error(`waited for ${count} events, got ${JSON.stringify(found)}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Verifies as receivers do: the library throws when no signature fits. */
function isSigned(
  secrets: readonly string[],
  body: string,
  headers: Record<string, string>,
): boolean {
  return secrets.some((secret) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  });
}
