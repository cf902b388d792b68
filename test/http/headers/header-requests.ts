/** Requests as browsers and programs send them. */
import type { InjectOptions } from 'fastify';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { fillPath } from '../../../contract/paths.ts';

export const DROP_FILE = fillPath(operatorPaths.exportDrop, 'offers');
/** The drop as it concerns nobody. */
export const NO_MEMBER_DROP = fillPath(operatorPaths.memberDrop, 'nobody');
/** Orders of an upload that is not there. */
export const NO_ORDERS = fillPath(operatorPaths.importOrders, 'nothing');

const browsing = { accept: 'text/html' };

export function get(url: string, headers: Record<string, string> = browsing): InjectOptions {
  return { url, headers };
}

export function form(
  url: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): InjectOptions {
  const payload = new URLSearchParams(fields).toString();
  const type = 'application/x-www-form-urlencoded';
  return {
    method: 'POST',
    url,
    payload,
    headers: { ...browsing, 'content-type': type, 'sec-fetch-site': 'same-origin', ...headers },
  };
}

export function post(url: string, payload: object): InjectOptions {
  return { method: 'POST', url, payload };
}
