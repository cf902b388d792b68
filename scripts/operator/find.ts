import type { Operator, Operators } from '../../contract/operator/access.ts';
import type { MaskSizes } from '../../contract/operator/masks.ts';
import type { FoundMember, FoundMembers } from '../../contract/operator/members.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Config } from '../../server/config.ts';
import { callOperator, OperatorError } from './call-operator.ts';

export async function findMembers(config: Config, text: string): Promise<FoundMember[]> {
  const body = { text };
  const { members } = await callOperator<FoundMembers>(config, operatorPaths.findMembers, { body });
  if (members.length === 0) throw new OperatorError(`No member matches ${text}.`);
  return members;
}

/** The one member with this id, address or code. Throws OperatorError. */
export async function findMember(config: Config, text = ''): Promise<FoundMember> {
  const [member, another] = await findMembers(config, text);
  if (member === undefined || another !== undefined)
    throw new OperatorError(`${text} matches more than one member.`);
  return member;
}

export async function findOperator(config: Config, email: string): Promise<Operator> {
  const { operators } = await callOperator<Operators>(config, operatorPaths.operators);
  const found = operators.find((one) => one.email.toLowerCase() === email.toLowerCase());
  if (found === undefined) throw new OperatorError(`No operator has the address ${email}.`);
  return found;
}

export async function listSizeNames(config: Config): Promise<readonly string[]> {
  const { sizes } = await callOperator<MaskSizes>(config, operatorPaths.sizes);
  return sizes.map(({ name }) => name);
}

/** The name as the server has it, from one in any case. Throws OperatorError. */
export async function findSizeName(config: Config, text: string): Promise<string> {
  const names = await listSizeNames(config);
  const isMeant = (name: string) => name.toLowerCase() === text.toLowerCase();
  const name = names.find((one) => one === text) ?? names.find(isMeant);
  if (name !== undefined) return name;
  throw new OperatorError(`There is no size ${text}. The sizes are ${names.join(', ')}.`);
}
