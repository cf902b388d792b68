/** Requests as browsers and programs send them. */
import type { InjectOptions } from 'fastify';

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
