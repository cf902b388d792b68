import { queryOptions } from '@tanstack/react-query';
import type { Me, SignedIn } from '../../contract/operator/access.ts';
import { forgetKept } from '../ui/kept-state.ts';
import { call } from './queries.ts';
import { hasStatus } from './request.ts';

export const meKey = ['me'];

export function operatorOf({ kind, session }: Me): string {
  return session?.operator.id ?? kind;
}

export async function readMe(signal?: AbortSignal): Promise<Me | null> {
  try {
    return await call('GET me', signal && { signal });
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

/** Rejects with the browser's error when a person stops its dialog. */
export async function signInByPasskey(): Promise<SignedIn> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const options = (await call('POST passkeyChallenge')) as unknown;
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const credential = await startAuthentication({ optionsJSON: options as Options });
  return await call('POST passkeySignIn', { body: { credential: { ...credential } } });
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const options = (await call('POST newPasskey')) as unknown;
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
  const credential = await startRegistration({ optionsJSON: options as Options });
  await call('POST passkeys', { body: { name, credential: { ...credential } } });
}

/** Never resolves: reading the lists again would show a sign-in that the new page takes away. */
export async function leaveForGood(): Promise<never> {
  await call('DELETE session');
  forgetKept('');
  window.location.reload();
  return await new Promise(() => {});
}
