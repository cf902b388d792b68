/** Calls about signing in, operators, sessions, passkeys and API keys. */
import { queryOptions } from '@tanstack/react-query';
import type {
  ApiKeys,
  KeyScope,
  NewKey,
  OperatorRole,
  Operators,
  Passkeys,
  Sessions,
  SignedIn,
} from '../../contract/operator/access.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import { request } from './request.ts';

/** All that a change of operators, sessions, passkeys or keys may touch. */
export const accessKey = ['access'];

export const operatorsQuery = queryOptions({
  queryKey: [...accessKey, 'operators'],
  queryFn: ({ signal }) => request<Operators>({ path: operatorPaths.operators, signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: [...accessKey, 'sessions'],
  queryFn: ({ signal }) => request<Sessions>({ path: operatorPaths.sessions, signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: [...accessKey, 'passkeys'],
  queryFn: ({ signal }) => request<Passkeys>({ path: operatorPaths.passkeys, signal }),
});

export const keysQuery = queryOptions({
  queryKey: [...accessKey, 'keys'],
  queryFn: ({ signal }) => request<ApiKeys>({ path: operatorPaths.keys, signal }),
});

type Owner = { readonly name: string; readonly email: string };

export function signIn(body: { token: string; owner?: Owner }): Promise<SignedIn> {
  return request({ method: 'POST', path: operatorPaths.signIn, body });
}

export function mailLink(email: string): Promise<void> {
  return request({ method: 'POST', path: operatorPaths.signInMail, body: { email } });
}

/** The device asks for the passkey. Rejects with the browser's error when a person stops it. */
export async function signInByPasskey(): Promise<SignedIn> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = await request<Parameters<typeof startAuthentication>[0]['optionsJSON']>({
    method: 'POST',
    path: operatorPaths.passkeyChallenge,
  });
  const credential = await startAuthentication({ optionsJSON });
  return request({ method: 'POST', path: operatorPaths.passkeySignIn, body: { credential } });
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = await request<Parameters<typeof startRegistration>[0]['optionsJSON']>({
    method: 'POST',
    path: operatorPaths.newPasskey,
  });
  const credential = await startRegistration({ optionsJSON });
  await request({ method: 'POST', path: operatorPaths.passkeys, body: { name, credential } });
}

export function renamePasskey({ id, name }: { id: string; name: string }): Promise<void> {
  return request({ method: 'PUT', path: fillPath(operatorPaths.passkey, id), body: { name } });
}

export function removePasskey(id: string): Promise<void> {
  return request({ method: 'DELETE', path: fillPath(operatorPaths.passkey, id) });
}

export function signOut(): Promise<void> {
  return request({ method: 'DELETE', path: operatorPaths.session });
}

export function endSession(id: string): Promise<void> {
  return request({ method: 'DELETE', path: fillPath(operatorPaths.oneSession, id) });
}

export function inviteOperator(body: Owner & { role: OperatorRole }): Promise<void> {
  return request({ method: 'POST', path: operatorPaths.operators, body });
}

export function changeRole({ id, role }: { id: string; role: OperatorRole }): Promise<void> {
  return request({ method: 'PUT', path: fillPath(operatorPaths.operatorRole, id), body: { role } });
}

export function removeOperator(id: string): Promise<void> {
  return request({ method: 'DELETE', path: fillPath(operatorPaths.operator, id) });
}

export function endSessionsOf(id: string): Promise<void> {
  return request({ method: 'DELETE', path: fillPath(operatorPaths.operatorSessions, id) });
}

export function makeKey(body: { name: string; scopes: readonly KeyScope[] }): Promise<NewKey> {
  return request({ method: 'POST', path: operatorPaths.keys, body });
}

export function revokeKey(id: string): Promise<void> {
  return request({ method: 'DELETE', path: fillPath(operatorPaths.key, id) });
}
