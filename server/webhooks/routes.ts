import type {
  EndpointWithSecret,
  WholeEndpoint,
} from '../../contract/operator/webhooks/webhooks.ts';
import type { Actor } from '../access/actor.ts';
import { addCall } from '../access/add-call.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
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

export function addWebhookRoutes(server: HttpServer, webhooks: EditOptions & SendOptions): void {
  const { database, secretKey } = webhooks;

  addCall(server, 'GET webhooks', async () => ({
    endpoints: (await readEndpoints(database.kysely)).map(({ url, ...endpoint }) => ({
      ...endpoint,
      origin: originOf(url),
    })),
  }));

  addCall(server, 'POST webhooks', async ({ actor, body: { reason, ...wanted } }) =>
    withSecret(await addEndpoint(webhooks, wanted, { actor, reason })),
  );

  addCall(server, 'GET webhook', async ({ params }) =>
    viewWhole(await findEndpoint(database.kysely, params.endpointId)),
  );

  addCall(server, 'PUT webhook', async ({ actor, params, body: { reason, ...wanted } }) =>
    viewWhole(await editEndpoint(webhooks, params.endpointId, wanted, { actor, reason })),
  );

  addCall(server, 'POST removeWebhook', async ({ actor, params, body: { reason } }) => {
    await removeEndpoint(webhooks, params.endpointId, { actor, reason });
  });

  addCall(server, 'POST rotateWebhook', async ({ actor, params, body: { reason } }) =>
    withSecret(await rotateEndpointSecret(webhooks, params.endpointId, { actor, reason })),
  );

  addCall(server, 'POST testWebhook', async ({ actor, params }) => {
    const endpoint = await findEndpoint(database.kysely, params.endpointId);
    await audit(actor, endpoint.id, 'test-webhook', 'Sent a test event.');
    return await sendTestEvent(webhooks, endpoint);
  });

  addCall(server, 'GET webhookDeliveries', async ({ params, query }) =>
    listDeliveries(database, params.endpointId, query),
  );

  addCall(server, 'POST replayDelivery', async ({ actor, params }) => {
    const logged = await replayDelivery(webhooks, params.deliveryId);
    await audit(actor, logged.endpoint_id, 'replay-webhook', `Sent ${logged.event_id} again.`);
    return logged;
  });

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
