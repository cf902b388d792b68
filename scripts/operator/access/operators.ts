/** Operators from the command line: who may enter the console, and as what. */
import type { Operator, Operators } from '../../../contract/operator/access.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { print } from '../../command-line/output.ts';
import { runVerb, type Verbs } from '../../command-line/verbs.ts';
import { callOperator, OperatorError } from '../call-operator.ts';
import { printable, renderTable } from '../table.ts';

const ROLES = ['owner', 'viewer'];

export const operatorVerbs: Verbs = {
  invite: {
    usage: '"<name>" <address> <owner or viewer>',
    completesLast: () => ROLES,
    run: invite,
  },
  role: { usage: '<address> <owner or viewer>', completesLast: () => ROLES, run: changeRole },
  'end-sessions': {
    usage: '<address>',
    run: (config, [email], options) =>
      drop(config, email, { ...options, path: operatorPaths.operatorSessions, sentence: ENDED }),
  },
  remove: {
    usage: '<address>',
    run: (config, [email], options) =>
      drop(config, email, { ...options, path: operatorPaths.operator, sentence: REMOVED }),
  },
};
const ENDED = 'must sign in again.';
const REMOVED = 'can no longer enter.';

/** Prints the list when no words follow. */
export async function runOperators(
  config: Config,
  words: readonly string[],
  options: Options,
): Promise<void> {
  if (words.length > 0)
    return await runVerb('operators', operatorVerbs, { config, words, options });
  const found = await callOperator<Operators>(config, { path: operatorPaths.operators });
  const rows = found.operators.map((one) => [
    one.email,
    one.name,
    one.role,
    one.passkeys,
    one.last_used_at ?? '',
  ]);
  print(options.json, found, () =>
    rows.length === 0
      ? 'There are no operators. The owner signs in first: ./waitlist sign-in'
      : renderTable(['Address', 'Name', 'Role', 'Passkeys', 'Last here'], rows),
  );
}

async function invite(config: Config, words: readonly string[], { json }: Options): Promise<void> {
  const [name = '', email = '', role = ''] = words;
  const body = { name, email, role: readRole(role) };
  const path = operatorPaths.operators;
  printRole(await callOperator<Operator>(config, { method: 'POST', path, body }), json);
}

async function changeRole(config: Config, words: readonly string[], { json }: Options) {
  const [email = '', word = ''] = words;
  const role = readRole(word);
  const { id } = await findOperator(config, email);
  const path = fillPath(operatorPaths.operatorRole, id);
  printRole(await callOperator<Operator>(config, { method: 'PUT', path, body: { role } }), json);
}

function printRole(operator: Operator, json: boolean | undefined): void {
  const { name, role } = operator;
  print(json, operator, () => printable(`${name} is ${role === 'owner' ? 'an' : 'a'} ${role}.`));
}

type Removal = { readonly path: string; readonly sentence: string };

async function drop(config: Config, email = '', { path, sentence, json }: Options & Removal) {
  const { id, name } = await findOperator(config, email);
  await callOperator<void>(config, { method: 'DELETE', path: fillPath(path, id) });
  print(json, { id }, () => printable(`${name} ${sentence}`));
}

async function findOperator(config: Config, email: string): Promise<Operator> {
  const { operators } = await callOperator<Operators>(config, { path: operatorPaths.operators });
  const found = operators.find((one) => one.email.toLowerCase() === email.toLowerCase());
  if (found === undefined) throw new OperatorError(`No operator has the address ${email}.`);
  return found;
}

function readRole(word: string): string {
  if (!ROLES.includes(word)) throw new UsageError(`A role is ${ROLES.join(' or ')}, not ${word}.`);
  return word;
}
