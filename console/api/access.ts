import { queryOptions } from '@tanstack/react-query';
import type { Me, SignedIn } from '../../contract/operator/access.ts';
import { forgetKept } from '../ui/kept-state.ts';
import { pathOf, post, remove } from './queries.ts';
import { hasStatus, request } from './request.ts';

export const meKey = ['me'];

export function operatorOf({ kind, session }: Me): string {
  return session?.operator.id ?? kind;
}

export async function readMe(signal?: AbortSignal): Promise<Me | null> {
  try {
    return await request<Me>({ path: pathOf('me'), ...(signal && { signal }) });
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
  const optionsJSON = await post<Parameters<typeof startAuthentication>[0]['optionsJSON']>(
    pathOf('passkeyChallenge'),
  );
  const credential = await startAuthentication({ optionsJSON });
  return post(pathOf('passkeySignIn'), { credential });
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = await post<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    pathOf('newPasskey'),
  );
  const credential = await startRegistration({ optionsJSON });
  await post(pathOf('passkeys'), { name, credential });
}

/** Never resolves: reading the lists again would show a sign-in that the new page takes away. */
export async function leaveForGood(): Promise<never> {
  await remove(pathOf('session'));
  forgetKept('');
  window.location.reload();
  return await new Promise(() => {});
}
