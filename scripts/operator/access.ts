import {
  type ApiKeys,
  InviteRequest,
  KeyScope,
  type NewKey,
  NewKeyRequest,
  type Operator,
  type Operators,
  RoleRequest,
  type SignInLink,
  SignInLinkRequest,
} from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { readServerAddress } from '../../server/access/server-address.ts';
import type { Call, Commands } from '../command-line/command.ts';
import { say } from '../command-line/output.ts';
import { list, request } from './api-commands.ts';
import { findDemo } from './running-demo.ts';

const signIn = request(operatorPaths.signInLinks, {
  about:
    'Prints a link that signs an operator in to the console, once, within 15 minutes. Without a ' +
    'server of yours, it is that of the running demo.',
  body: SignInLinkRequest,
  describe: ({ link }: SignInLink) => link,
  note: ({ email }) =>
    email === null
      ? 'Whoever opens this first, within 15 minutes, becomes the owner.'
      : `It signs ${email} in.`,
});

const SCOPES = KeyScope.anyOf.map((scope) => scope.const);

export const accessCommands: Commands = {
  'sign-in': { ...signIn, run: async (call) => await signIn.run(await withDemo(call)) },
  operators: {
    ...list<Operators['operators'][number]>(operatorPaths.operators, {
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
        note: ({ role }) => (role === 'owner' ? null : 'API keys that they made work no longer.'),
      }),
      'end-sessions': request(operatorPaths.operatorSessions, {
        method: 'DELETE',
        describe: (_, [email]) => `${email} must sign in again.`,
      }),
      remove: request(operatorPaths.operator, {
        method: 'DELETE',
        describe: (_, [email]) => `${email} can no longer enter.`,
        note: () => 'API keys that they made are revoked.',
      }),
    },
  },
  keys: {
    ...list<ApiKeys['keys'][number]>(operatorPaths.keys, {
      none: 'There are no API keys.',
      columns: [
        'id',
        'name',
        ['Begins with', ({ hint }) => `${hint}...`],
        'scopes',
        ['Made by', ({ created_by }) => created_by ?? 'operator token'],
        'state',
        ['Ends', 'ends_at'],
        ['Last used', 'last_used_at'],
      ],
    }),
    about:
      `Lists API keys, or makes or revokes one. <scopes>: ${SCOPES.join(', ')}, by commas. ` +
      '[ends at]: a day, or a time with its zone.',
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

async function withDemo(call: Call): Promise<Call> {
  const { config, options, words } = call;
  const demo = (await readServerAddress(config.dataDir)) === null ? await findDemo() : null;
  if (demo === null) return call;
  say(options, `No server is running on ${config.dataDir}, so this is for the demo.`);
  const { dataDir, owner } = demo;
  return {
    options,
    words: words.length === 0 ? [owner] : words,
    config: { ...config, dataDir, operatorToken: null },
  };
}

function describeRole({ name, role }: Operator): string {
  return `${name} is ${{ owner: 'an owner', viewer: 'a viewer', door: 'door staff' }[role]}.`;
}
