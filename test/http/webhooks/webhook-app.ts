/** The whole app with a receiver of its webhooks, for tests. */
import { sql } from 'kysely';
import type { EventKind } from '../../../contract/operator/webhooks/events.ts';
import type {
  EndpointWithSecret,
  WebhookDeliveries,
  WebhookDelivery,
} from '../../../contract/operator/webhooks/webhooks.ts';
import type { Config } from '../../../server/config.ts';
import type { Engine } from '../../support/engines.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from '../test-app.ts';

export type WebhookApp = TestApp & {
  readonly receiver: Receiver;
  call(
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    payload?: object,
  ): Promise<{ status: number; body: never }>;
  add(events: readonly EventKind[], url?: string): Promise<EndpointWithSecret>;
  log(endpointId: string): Promise<WebhookDelivery[]>;
  /** Waits until the newest delivery is as wanted. */
  untilLogged(
    endpointId: string,
    wanted: (deliveries: WebhookDelivery[]) => boolean,
  ): Promise<WebhookDelivery[]>;
  /** Makes waiting deliveries due now. */
  hurry(): Promise<void>;
};

const PATIENCE_MS = 60_000;

export async function openWebhookApp(
  engine: Engine,
  settings: Partial<Config> = {},
): Promise<WebhookApp> {
  const receiver = await startReceiver();
  const app = await openTestApp(engine, { webhookNetworks: ['127.0.0.1'], ...settings });
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };

  async function call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
    const response = await app.fastify.inject({
      method,
      url: `/operator/api/${url}`,
      headers,
      ...(payload && { payload }),
    });
    return { status: response.statusCode, body: response.payload && response.json() } as {
      status: number;
      body: never;
    };
  }

  const webhookApp: WebhookApp = {
    ...app,
    receiver,
    call,
    async add(events, url = receiver.url) {
      const { status, body } = await call('POST', 'webhooks', { url, events, reason: 'a test' });
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body;
    },
    async log(endpointId) {
      const { body } = await call('GET', `webhooks/${endpointId}/deliveries`);
      return (body as WebhookDeliveries).entries;
    },
    async untilLogged(endpointId, wanted) {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const deliveries = await webhookApp.log(endpointId);
        if (wanted(deliveries)) return deliveries;
        if (Date.now() > deadline) throw new Error(`the log is ${JSON.stringify(deliveries)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async hurry() {
      await sql`update webhook_delivery set next_at = '-infinity'`.execute(app.database.kysely);
      await sql`update webhook_endpoint set retry_at = null`.execute(app.database.kysely);
    },
    async remove() {
      await app.remove();
      await receiver.close();
    },
  };
  return webhookApp;
}
