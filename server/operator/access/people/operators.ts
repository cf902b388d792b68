/** Inviting and removing operators, and what they may do. */
import type { OperatorRole } from '../../../../contract/operator/access.ts';
import type { Database } from '../../../db/database.ts';
import { Problem } from '../../../problem.ts';
import { readAddress, readName } from '../sign-in/sign-in.ts';
import {
  deleteOperator,
  insertOperator,
  isLastOwner,
  type OperatorRecord,
  updateRole,
} from './operator-store.ts';

type Kysely = Pick<Database, 'kysely'>;

/** Throws Problem invalid_field; conflict when the address is an operator's, or for no owner. */
export async function inviteOperator(
  { kysely }: Kysely,
  { name, email, role }: { name: string; email: string; role: OperatorRole },
): Promise<OperatorRecord> {
  const operator = { address: readAddress(email), name: readName(name), role };
  const added = await insertOperator(kysely, operator).catch((error: unknown) => {
    throw isLastOwner(error)
      ? new Problem('conflict', 'The first operator must be an owner.')
      : error;
  });
  if (added === null) throw new Problem('conflict', 'An operator has this address already.');
  return added;
}

/** Throws Problem not_found; conflict for the last owner. */
export async function changeRole(
  { kysely }: Kysely,
  change: { readonly id: string; readonly role: OperatorRole },
): Promise<OperatorRecord> {
  return await keepingAnOwner(updateRole(kysely, change));
}

/** Ends their sessions with them. Throws Problem not_found; conflict for the last owner. */
export async function removeOperator({ kysely }: Kysely, id: string): Promise<OperatorRecord> {
  return await keepingAnOwner(deleteOperator(kysely, id));
}

async function keepingAnOwner(change: Promise<OperatorRecord | null>): Promise<OperatorRecord> {
  const operator = await change.catch((error: unknown) => {
    throw isLastOwner(error)
      ? new Problem('conflict', 'This is the only owner: make somebody else an owner first.')
      : error;
  });
  if (operator === null) throw new Problem('not_found', 'There is no such operator.');
  return operator;
}
