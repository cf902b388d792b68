import {
  InviteRequest,
  type NewKey,
  NewKeyRequest,
  RoleRequest,
  type SignInLink,
  SignInLinkRequest,
} from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { readServerAddress } from '../../server/access/server-address.ts';
import { say } from '../command-line/output.ts';
import type { Definitions } from '../command-line/program.ts';
import { request } from './calls.ts';
import { findDemo } from './running-demo.ts';

const signIn = request<SignInLink>(operatorPaths.signInLinks, {
  about:
    'Prints a link that signs an operator in to the console, once, within 15 minutes. Without a ' +
    'server of yours, it is that of the running demo.',
  body: SignInLinkRequest,
  says: ({ link }) => link,
  note: ({ email }) =>
    email === null
      ? 'Whoever opens this first, within 15 minutes, becomes the owner.'
      : `It signs ${email} in.`,
});

export const access: Definitions = {
  'sign-in': {
    ...signIn,
    run: async ({ config, values }) => {
      const demo = (await readServerAddress(config.dataDir)) === null ? await findDemo() : null;
      if (demo === null) return await signIn.run({ config, values });
      say(values, `No server is running on ${config.dataDir}, so this is for the demo.`);
      const { dataDir, owner } = demo;
      const ofDemo = { ...config, dataDir, operatorToken: null };
      await signIn.run({ config: ofDemo, values: { ...values, email: values.email ?? owner } });
    },
  },
  operators: request(operatorPaths.operators, {
    about: 'Lists who may enter the console, or invites, changes or removes an operator.',
    shows: 'Address:email name role passkeys Last_here:last_used_at',
    commands: {
      invite: request(operatorPaths.operators, { body: InviteRequest }),
      role: request(operatorPaths.operatorRole, {
        method: 'PUT',
        body: RoleRequest,
        note: 'API keys of an operator who is no owner any more work no longer.',
      }),
      'end-sessions': request(operatorPaths.operatorSessions, {
        method: 'DELETE',
        says: 'They must sign in again.',
      }),
      remove: request(operatorPaths.operator, {
        method: 'DELETE',
        says: 'They can no longer enter, and API keys that they made are revoked.',
      }),
    },
  }),
  keys: request(operatorPaths.keys, {
    about: 'Lists API keys, or makes or revokes one.',
    shows:
      'id name Begins_with:hint scopes Made_by:created_by state Ends:ends_at ' +
      'Last_used:last_used_at',
    commands: {
      add: request<NewKey>(operatorPaths.keys, {
        body: NewKeyRequest,
        says: ({ key }) => key,
        note: 'The key is not shown again.',
      }),
      revoke: request(operatorPaths.key, { method: 'DELETE', says: 'The key is revoked.' }),
    },
  }),
};
