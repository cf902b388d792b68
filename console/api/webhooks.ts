import { infiniteQueryOptions } from '@tanstack/react-query';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { EventKind } from '../../contract/operator/webhooks/events.ts';
import type {
  EndpointWithSecret,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEndpoints,
  WholeEndpoint,
} from '../../contract/operator/webhooks/webhooks.ts';
import { fillPath } from '../../contract/paths.ts';
import { post, put, read, readPages, withQuery } from './queries.ts';

/** An attempt takes up to 15 seconds. */
const ATTEMPT_TIMEOUT_MS = 25_000;
const REFRESH_MS = 5_000;

export const webhooksQuery = read<WebhookEndpoints>(operatorPaths.webhooks, REFRESH_MS);

export const webhookQuery = (id: string) =>
  read<WholeEndpoint>(fillPath(operatorPaths.webhook, id));

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    ...readPages<WebhookDeliveries>((after) =>
      withQuery(fillPath(operatorPaths.webhookDeliveries, id), { after }),
    ),
    refetchInterval: REFRESH_MS,
  });

export type EndpointFields = { readonly url: string; readonly events: readonly EventKind[] };

export const addWebhook = (fields: EndpointFields & { reason: string }) =>
  post<EndpointWithSecret>(operatorPaths.webhooks, fields);

export const editWebhook = (
  id: string,
  fields: EndpointFields & { is_on: boolean; reason: string },
) => put<WholeEndpoint>(fillPath(operatorPaths.webhook, id), fields);

export const rotateWebhook = (id: string, reason: string) =>
  post<EndpointWithSecret>(fillPath(operatorPaths.rotateWebhook, id), { reason });

export const removeWebhook = (id: string, reason: string) =>
  post<undefined>(fillPath(operatorPaths.removeWebhook, id), { reason });

export const testWebhook = (id: string) =>
  post<WebhookDelivery>(fillPath(operatorPaths.testWebhook, id), undefined, ATTEMPT_TIMEOUT_MS);

export const replayDelivery = (id: string) =>
  post<WebhookDelivery>(fillPath(operatorPaths.replayDelivery, id), undefined, ATTEMPT_TIMEOUT_MS);
