import { queryOptions } from '@tanstack/react-query';
import type {
  ApiKeys,
  KeyScope,
  Me,
  NewKey,
  OperatorRole,
  Operators,
  Passkeys,
  Sessions,
  SignedIn,
} from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { post, put, read, remove } from './queries.ts';
import { hasStatus, request } from './request.ts';

export const meKey = ['me'];

export function operatorOf({ kind, session }: Me): string {
  return session?.operator.id ?? kind;
}

export async function readMe(signal?: AbortSignal): Promise<Me | null> {
  try {
    return await request<Me>({ path: operatorPaths.me, ...(signal && { signal }) });
  } catch (error) {
    if (hasStatus(error, 401)) return null;
    throw error;
  }
}

export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
  // A link of a mail signs in within another tab: this one then goes on.
  refetchOnWindowFocus: ({ state }) => (state.data === null ? 'always' : true),
});

export const operatorsQuery = read<Operators>(operatorPaths.operators);
export const sessionsQuery = read<Sessions>(operatorPaths.sessions);
export const passkeysQuery = read<Passkeys>(operatorPaths.passkeys);
export const keysQuery = read<ApiKeys>(operatorPaths.keys);

type Owner = { readonly name: string; readonly email: string };

export const signIn = (body: { token: string; owner?: Owner }) =>
  post<SignedIn>(operatorPaths.signIn, body);

export const mailLink = (email: string) => post<void>(operatorPaths.signInMail, { email });

/** Rejects with the browser's error when a person stops its dialog. */
export async function signInByPasskey(): Promise<SignedIn> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = await post<Parameters<typeof startAuthentication>[0]['optionsJSON']>(
    operatorPaths.passkeyChallenge,
  );
  const credential = await startAuthentication({ optionsJSON });
  return post(operatorPaths.passkeySignIn, { credential });
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = await post<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    operatorPaths.newPasskey,
  );
  const credential = await startRegistration({ optionsJSON });
  await post(operatorPaths.passkeys, { name, credential });
}

export const renamePasskey = (id: string, name: string) =>
  put<void>(fillPath(operatorPaths.passkey, id), { name });
export const removePasskey = (id: string) => remove(fillPath(operatorPaths.passkey, id));

export const signOut = () => remove(operatorPaths.session);
export const endSession = (id: string) => remove(fillPath(operatorPaths.oneSession, id));

export const inviteOperator = (body: Owner & { role: OperatorRole }) =>
  post<void>(operatorPaths.operators, body);
export const changeRole = ({ id, role }: { id: string; role: OperatorRole }) =>
  put<void>(fillPath(operatorPaths.operatorRole, id), { role });
export const removeOperator = (id: string) => remove(fillPath(operatorPaths.operator, id));
export const endSessionsOf = (id: string) => remove(fillPath(operatorPaths.operatorSessions, id));

type WantedKey = { name: string; scopes: readonly KeyScope[]; ends_at?: string };

export const makeKey = (body: WantedKey) => post<NewKey>(operatorPaths.keys, body);
export const revokeKey = (id: string) => remove(fillPath(operatorPaths.key, id));
