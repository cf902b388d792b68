/** Calls of operators over HTTP, by their token. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The token that a server has written into its data folder. */
export function readToken(dataDir: string): string {
  return readFileSync(join(dataDir, 'operator-token'), 'utf8').trim();
}

/** Throws the refusal. */
export async function callAs<T>(
  token: string,
  url: string,
  body?: unknown,
  method = 'POST',
): Promise<T> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** All that a server tells Prometheus. */
export async function readMetrics(url: string, dataDir: string): Promise<string> {
  const headers = { authorization: `Bearer ${readToken(dataDir)}` };
  return await (await fetch(`${url}/metrics`, { headers })).text();
}
