/** Calls about webhooks. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import type {
  EndpointWithSecret,
  EventKind,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookEndpoints,
  WholeEndpoint,
} from '../../contract/operator/webhooks/webhooks.ts';
import { request } from './request.ts';

/** An attempt takes up to 15 seconds. */
const ATTEMPT_TIMEOUT_MS = 25_000;
const REFRESH_MS = 5_000;

export const webhooksKey = ['webhooks'];

export const webhooksQuery = queryOptions({
  queryKey: [...webhooksKey, 'list'],
  queryFn: ({ signal }) => request<WebhookEndpoints>({ path: operatorPaths.webhooks, signal }),
  refetchInterval: REFRESH_MS,
});

/** With its URL; 403 for viewers. */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...webhooksKey, 'one', id],
    queryFn: ({ signal }) =>
      request<WholeEndpoint>({ path: fillPath(operatorPaths.webhook, id), signal }),
  });

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey, 'log', id],
    queryFn: ({ pageParam, signal }) =>
      request<WebhookDeliveries>({
        path:
          fillPath(operatorPaths.webhookDeliveries, id) +
          (pageParam === '' ? '' : `?after=${encodeURIComponent(pageParam)}`),
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });

export type EndpointFields = { readonly url: string; readonly events: readonly EventKind[] };

export function addWebhook(fields: EndpointFields & { reason: string }) {
  return post<EndpointWithSecret>(operatorPaths.webhooks, fields);
}

export function editWebhook(
  id: string,
  fields: EndpointFields & { is_on: boolean; reason: string },
) {
  const path = fillPath(operatorPaths.webhook, id);
  return request<WholeEndpoint>({ method: 'PUT', path, body: fields });
}

export function rotateWebhook(id: string, reason: string) {
  return post<EndpointWithSecret>(fillPath(operatorPaths.rotateWebhook, id), { reason });
}

export function removeWebhook(id: string, reason: string) {
  return post<undefined>(fillPath(operatorPaths.removeWebhook, id), { reason });
}

export function testWebhook(id: string) {
  return post<WebhookDelivery>(fillPath(operatorPaths.testWebhook, id));
}

export function replayDelivery(id: string) {
  return post<WebhookDelivery>(fillPath(operatorPaths.replayDelivery, id));
}

function post<T>(path: string, body?: object): Promise<T> {
  return request<T>({ method: 'POST', path, body, timeoutMs: ATTEMPT_TIMEOUT_MS });
}
