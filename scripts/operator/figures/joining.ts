import type { Joining } from '../../../contract/operator/changes.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { print } from '../../command-line/output.ts';
import { callOperator } from '../call-operator.ts';
import { printable } from '../table.ts';

/** `./waitlist joining`: whether joining is paused, and what visitors are told. */
export async function showJoining(
  config: Config,
  _words: readonly string[],
  { json }: Options,
): Promise<void> {
  const joining = await callOperator<Joining>(config, { path: operatorPaths.joining });
  const { paused } = joining;
  print(json, joining, () =>
    paused === null
      ? 'Everybody can join.'
      : printable(`Joining is paused since ${paused.since}: ${paused.message}`),
  );
}
