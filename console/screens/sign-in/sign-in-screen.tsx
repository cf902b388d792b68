import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { brand } from '../../../brand/brand.ts';
import { type Me, meKey, operatorOf, readMe } from '../../api/me.ts';
import { useHash } from '../../routing/use-hash.ts';
import { useTitle } from '../../routing/use-title.ts';
import { CodeText } from '../../ui/data/code-text.tsx';
import { rememberPlace, takePlace } from './left-place.ts';
import { LinkEntry } from './link-entry.tsx';
import { MailEntry } from './mail-entry.tsx';
import { PasskeyEntry } from './passkey-entry.tsx';

/** Where links lead, below /console. */
export const SIGN_IN_PATH = '/sign-in';

/** Replaces every screen while nobody is signed in; the URL stays. `last`: who was signed in. */
export function SignInScreen({ last }: { last: Me | null }) {
  useTitle('Sign in');
  const [location, navigate] = useLocation();
  const token = useHash();
  const search = useSearch();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (location !== SIGN_IN_PATH)
      rememberPlace(search === '' ? location : `${location}?${search}`);
  }, [location, search]);

  async function enter(): Promise<void> {
    if (location === SIGN_IN_PATH) navigate(takePlace(), { replace: true });
    const me = await readMe();
    // The screen of whoever comes back goes on with what it has read.
    if (last === null || me === null || operatorOf(me) !== operatorOf(last))
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meKey[0] });
    else await queryClient.invalidateQueries({ refetchType: 'none' });
    queryClient.setQueryData(meKey, me);
  }

  return (
    <main className="gate">
      <p className="frame-name">{brand.name}</p>
      <h1>Sign in to the console</h1>
      {location === SIGN_IN_PATH && token !== '' ? (
        <LinkEntry key={token} token={token} onEnter={enter} />
      ) : (
        <>
          <MailEntry />
          <PasskeyEntry onEnter={enter} />
          <p className="quiet">Without mail, print a link on the machine of the server:</p>
          <CodeText label="the command" value="npm run waitlist -- sign-in" />
        </>
      )}
    </main>
  );
}
