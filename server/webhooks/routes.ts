import { Type } from 'typebox';
import { operatorPaths } from '../../contract/operator/paths.ts';
import {
  EndpointWithSecret,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEndpoints,
  WholeEndpoint,
} from '../../contract/operator/webhooks/webhooks.ts';
import { ErrorBody, REFUSED_BODY } from '../../contract/schemas.ts';
import type { Actor } from '../access/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import { NOTHING, operatorRoutes } from '../access/route-schemas.ts';
import { inTransaction } from '../db/transaction.ts';
import type { HttpServer } from '../http/http-server.ts';
import { listDeliveries, replayDelivery, sendTestEvent } from './delivery-log.ts';
import { type Endpoint, readEndpoints } from './endpoint-store.ts';
import {
  addEndpoint,
  type EditOptions,
  editEndpoint,
  findEndpoint,
  originOf,
  removeEndpoint,
  rotateEndpointSecret,
} from './endpoints.ts';
import { type SendOptions, webhookSecret } from './send-event.ts';

const route = operatorRoutes('Webhooks');
const ENDPOINT = Type.Object({ endpointId: Type.String() });
const DELIVERY = Type.Object({ deliveryId: Type.String() });

export function addWebhookRoutes(server: HttpServer, webhooks: EditOptions & SendOptions): void {
  const { database, secretKey } = webhooks;

  server.get(
    operatorPaths.webhooks,
    route('read', 'GET webhooks', {
      response: { 200: WebhookEndpoints },
    }),
    async () => ({
      endpoints: (await readEndpoints(database.kysely)).map(({ url, ...endpoint }) => ({
        ...endpoint,
        origin: originOf(url),
      })),
    }),
  );

  server.post(
    operatorPaths.webhooks,
    route('owner', 'POST webhooks', {
      description: 'It gets the events from now on. The answer has its secret, this once.',
      response: { 201: EndpointWithSecret, 409: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ actor, body: { reason, ...wanted } }) =>
      withSecret(await addEndpoint(webhooks, wanted, { actor, reason })),
  );

  server.get(
    operatorPaths.webhook,
    route('owner', 'GET webhook', {
      params: ENDPOINT,
      response: { 200: WholeEndpoint, 404: ErrorBody },
    }),
    async ({ params }) => viewWhole(await findEndpoint(database.kysely, params.endpointId)),
  );

  server.put(
    operatorPaths.webhook,
    route('owner', 'PUT webhook', {
      description:
        'Switched off, it gives up waiting events. Switched on, it gets events from then on.',
      params: ENDPOINT,
      response: { 200: WholeEndpoint, 404: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ actor, params, body: { reason, ...wanted } }) =>
      viewWhole(await editEndpoint(webhooks, params.endpointId, wanted, { actor, reason })),
  );

  server.post(
    operatorPaths.removeWebhook,
    route('owner', 'POST removeWebhook', {
      params: ENDPOINT,
      response: { 204: NOTHING, 404: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ actor, params, body: { reason } }) => {
      await removeEndpoint(webhooks, params.endpointId, { actor, reason });
    },
  );

  server.post(
    operatorPaths.rotateWebhook,
    route('owner', 'POST rotateWebhook', {
      description: 'For 24 hours events are signed with both. Rotate again to end that at once.',
      params: ENDPOINT,
      response: { 200: EndpointWithSecret, 404: ErrorBody, ...REFUSED_BODY },
    }),
    async ({ actor, params, body: { reason } }) =>
      withSecret(await rotateEndpointSecret(webhooks, params.endpointId, { actor, reason })),
  );

  server.post(
    operatorPaths.testWebhook,
    route('owner', 'POST testWebhook', {
      params: ENDPOINT,
      response: { 200: WebhookDelivery, 404: ErrorBody },
    }),
    async ({ actor, params }) => {
      const endpoint = await findEndpoint(database.kysely, params.endpointId);
      await audit(actor, endpoint.id, 'test-webhook', 'Sent a test event.');
      return await sendTestEvent(webhooks, endpoint);
    },
  );

  server.get(
    operatorPaths.webhookDeliveries,
    route('read', 'GET webhookDeliveries', {
      description: 'Of the last 7 days, at most 10,000.',
      params: ENDPOINT,
      response: { 200: WebhookDeliveries, 404: ErrorBody, 422: ErrorBody },
    }),
    async ({ params, query }) => listDeliveries(database, params.endpointId, query),
  );

  server.post(
    operatorPaths.replayDelivery,
    route('owner', 'POST replayDelivery', {
      description: 'Under the same webhook-id, by which the receiver knows it.',
      params: DELIVERY,
      response: { 200: WebhookDelivery, 404: ErrorBody },
    }),
    async ({ actor, params }) => {
      const logged = await replayDelivery(webhooks, params.deliveryId);
      await audit(actor, logged.endpoint_id, 'replay-webhook', `Sent ${logged.event_id} again.`);
      return logged;
    },
  );

  function withSecret(endpoint: Endpoint): EndpointWithSecret {
    const secret = webhookSecret(secretKey, endpoint.id, endpoint.secret_number);
    return { ...viewWhole(endpoint), secret };
  }

  async function audit(actor: Actor, id: string, action: string, summary: string): Promise<void> {
    const record = { actor, action, subject: { kind: 'webhook', id }, reason: null };
    await inTransaction(database, (transaction) =>
      recordAudit(transaction, { ...record, details: { summary } }),
    );
  }
}

function viewWhole(endpoint: Endpoint): WholeEndpoint {
  return { ...endpoint, origin: originOf(endpoint.url) };
}
