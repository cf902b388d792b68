/** The app of tests with a receiver of its webhooks. */
import { beforeEach, expect } from 'vitest';
import type { EventKind } from '../../../contract/operator/webhooks/events.ts';
import type {
  EndpointWithSecret,
  WebhookDelivery,
  WholeEndpoint,
} from '../../../contract/operator/webhooks/webhooks.ts';
import type { Config } from '../../../server/config.ts';
import type { Engine } from '../../support/engines.ts';
import { type Answer, type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { type ProvidedApp, provideApp } from '../provide-app.ts';
import { openTestApp, type TestApp } from '../test-app.ts';

type WebhookApp = ProvidedApp & ReturnType<typeof webhooksOf> & WithReceiver;
type WithReceiver = { readonly receiver: Receiver };

async function openWithReceiver(
  ...[engine, settings, log]: Parameters<typeof openTestApp>
): Promise<TestApp & WithReceiver> {
  const receiver = await startReceiver();
  const app = await openTestApp(engine, { webhookNetworks: ['127.0.0.1'], ...settings }, log);
  const remove = async () => {
    await app.remove();
    await receiver.close();
  };
  return { ...app, receiver, remove };
}

export function provideWebhookApp(engine: Engine, settings: Partial<Config> = {}): WebhookApp {
  const app = provideApp(engine, settings, false, openWithReceiver) as ProvidedApp & WithReceiver;
  return Object.assign(app, webhooksOf(app));
}

function webhooksOf(app: ProvidedApp & WithReceiver) {
  const pathOf = (id: string, rest = '') => `/operator/api/webhooks/${id}${rest}`;
  const log = async (id: string): Promise<WebhookDelivery[]> =>
    (await app.read(pathOf(id, '/deliveries'))).entries;
  return {
    log,
    async add(events: readonly EventKind[], url = app.receiver.url): Promise<EndpointWithSecret> {
      const wanted = { url, events, reason: 'a test' };
      const { status, ...endpoint } = await app.post('/operator/api/webhooks', wanted);
      expect([status, endpoint]).toEqual([201, expect.anything()]);
      return endpoint;
    },
    readEndpoint: (id: string): Promise<WholeEndpoint> => app.read(pathOf(id)),
    /** Sends a test event, rotates the secret, or removes the endpoint. */
    tell: (id: string, what: 'test' | 'rotate' | 'remove') =>
      app.post(pathOf(id, `/${what}`), { reason: 'a test' }),
    /** Waits until the log of an endpoint is as wanted, the newest delivery first. */
    async untilLogged(id: string, wanted: (deliveries: WebhookDelivery[]) => boolean) {
      let deliveries: WebhookDelivery[] = [];
      await expect
        .poll(async () => {
          deliveries = await log(id);
          return wanted(deliveries) || deliveries;
        })
        .toBe(true);
      return deliveries;
    },
    /** Makes waiting deliveries due now. */
    async hurry() {
      await app.sql(`update webhook_delivery set next_at = '-infinity'`);
      await app.sql('update webhook_endpoint set retry_at = null');
    },
  };
}

/** Begins each test without endpoints, and with a receiver that has received nothing. */
export function beginAnew(app: WebhookApp): void {
  beforeEach(async () => {
    await app.sql('delete from webhook_endpoint');
    app.receiver.events.length = 0;
    app.receiver.secrets = [];
    app.receiver.answer = answerWith(200);
  });
}

export const answerWith =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end('');
