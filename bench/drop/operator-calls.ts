/** The operator's calls of the drop's benches. */
import type { ChangeKind, MadeChange } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';

export const OPERATOR_TOKEN = 'the-operator-token-of-these-benches';

/** Throws what the server refuses. */
export async function ask<T>(url: string, path: string, body?: object): Promise<T> {
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

/** Makes a change. */
export async function change(url: string, kind: ChangeKind, input: object): Promise<MadeChange> {
  return await ask(url, operatorPaths.changes, { kind, input, reason: 'measured' });
}
