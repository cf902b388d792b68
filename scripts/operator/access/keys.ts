/** API keys from the command line. */
import type { ApiKeys, NewKey } from '../../../contract/operator/access.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { runVerb, type Verbs } from '../../command-line/verbs.ts';
import { callOperator } from '../call-operator.ts';
import { renderTable } from '../table.ts';

const SCOPES = ['read', 'write', 'export', 'redeem'];

export const keyVerbs: Verbs = {
  add: { usage: '"<name>" <scopes>', completesLast: listScopes, run: addKey },
  revoke: { usage: '<id>', run: revokeKey },
};

/** Prints the list when no words follow. */
export async function runKeys(
  config: Config,
  words: readonly string[],
  options: Options,
): Promise<void> {
  if (words.length > 0) return await runVerb('keys', keyVerbs, { config, words, options });
  const found = await callOperator<ApiKeys>(config, { path: operatorPaths.keys });
  const rows = found.keys.map((key) => [
    key.id,
    key.name,
    `${key.hint}...`,
    key.scopes.join(' '),
    key.created_by ?? 'operator token',
    key.last_used_at ?? '',
  ]);
  print(options.json, found, () =>
    rows.length === 0
      ? 'There are no API keys.'
      : renderTable(['Id', 'Name', 'Begins with', 'Scopes', 'Made by', 'Last used'], rows),
  );
}

/** "read", and after "read," also "read,write". */
function listScopes(begun: string): readonly string[] {
  const chosen = begun.split(',').slice(0, -1);
  const free = SCOPES.filter((scope) => !chosen.includes(scope));
  return free.map((scope) => [...chosen, scope].join(','));
}

async function addKey(config: Config, words: readonly string[], { json }: Options): Promise<void> {
  const [name = '', list = ''] = words;
  const scopes = list.split(',');
  const unknown = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknown !== undefined)
    throw new UsageError(`There is no scope "${unknown}": say ${SCOPES.join(', ')}.`);
  const made = await callOperator<NewKey>(config, {
    method: 'POST',
    path: operatorPaths.keys,
    body: { name, scopes },
  });
  print(json, made, () => made.key);
  say(json, 'The key is not shown again.');
}

async function revokeKey(config: Config, [id = '']: readonly string[], { json }: Options) {
  await callOperator<void>(config, { method: 'DELETE', path: fillPath(operatorPaths.key, id) });
  print(json, { id }, () => 'The key is revoked.');
}
