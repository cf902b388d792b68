import type { ChangeKind, MadeChange } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';

export const OPERATOR_TOKEN = 'the-operator-token-of-these-benches';

export async function call<T>(url: string, path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, {
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Returns the number of the change. */
export async function change(url: string, kind: ChangeKind, input: object): Promise<number> {
  const body = { kind, input, reason: 'measured' };
  return (await call<MadeChange>(url, operatorPaths.changes, body)).change;
}
