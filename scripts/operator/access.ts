import {
  type ApiKeys,
  InviteRequest,
  type NewKey,
  NewKeyRequest,
  type Operator,
  type Operators,
  RoleRequest,
  type SignInLink,
  SignInLinkRequest,
} from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Commands } from '../command-line/command.ts';
import { list, request } from './api-commands.ts';

export const accessCommands: Commands = {
  'sign-in': request(operatorPaths.signInLinks, {
    about: 'Prints a link that signs an operator in to the console, once, within 15 minutes.',
    body: SignInLinkRequest,
    describe: ({ link }: SignInLink) => link,
    note: ({ email }) =>
      email === null
        ? 'Whoever opens this first, within 15 minutes, becomes the owner.'
        : `It signs ${email} in.`,
  }),
  operators: {
    ...list<Operators['operators'][number]>(operatorPaths.operators, {
      rows: 'operators',
      none: 'There are no operators. The owner signs in first: ./waitlist sign-in',
      columns: [['Address', 'email'], 'name', 'role', 'passkeys', ['Last here', 'last_used_at']],
    }),
    about: 'Lists who may enter the console, or invites, changes or removes an operator.',
    commands: {
      invite: request(operatorPaths.operators, { body: InviteRequest, describe: describeRole }),
      role: request(operatorPaths.operatorRole, {
        method: 'PUT',
        body: RoleRequest,
        describe: describeRole,
      }),
      'end-sessions': request(operatorPaths.operatorSessions, {
        method: 'DELETE',
        describe: (_, [email]) => `${email} must sign in again.`,
      }),
      remove: request(operatorPaths.operator, {
        method: 'DELETE',
        describe: (_, [email]) => `${email} can no longer enter.`,
      }),
    },
  },
  keys: {
    ...list<ApiKeys['keys'][number]>(operatorPaths.keys, {
      rows: 'keys',
      none: 'There are no API keys.',
      columns: [
        'id',
        'name',
        ['Begins with', ({ hint }) => `${hint}...`],
        'scopes',
        ['Made by', ({ created_by }) => created_by ?? 'operator token'],
        ['Last used', 'last_used_at'],
      ],
    }),
    about: 'Lists API keys, or makes or revokes one. <scopes>: read, write and export, by commas.',
    commands: {
      add: request(operatorPaths.keys, {
        body: NewKeyRequest,
        describe: ({ key }: NewKey) => key,
        note: () => 'The key is not shown again.',
      }),
      revoke: request(operatorPaths.key, {
        method: 'DELETE',
        describe: () => 'The key is revoked.',
      }),
    },
  },
};

function describeRole({ name, role }: Operator): string {
  return `${name} is ${role === 'owner' ? 'an' : 'a'} ${role}.`;
}
