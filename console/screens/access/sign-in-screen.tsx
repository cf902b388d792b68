import { useMutation, useQueryClient } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { brand } from '../../../brand/brand.ts';
import type { Me } from '../../../contract/operator/access.ts';
import { tabMemory } from '../../../web/ui/browser-memory.ts';
import { meKey, operatorOf, readMe, signInByPasskey } from '../../api/access.ts';
import { call } from '../../api/queries.ts';
import { messageOf, RequestError } from '../../api/request.ts';
import { useTitle } from '../../parts/screen.tsx';
import { useHash } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { CodeText } from '../../ui/facts.tsx';
import { Failure, Field, Form } from '../../ui/fields.tsx';

export const SIGN_IN_PATH = '/sign-in';
const LEFT_PLACE = 'console-left-place';

export function SignInScreen({ last }: { last: Me | null }) {
  useTitle('Sign in');
  const [location, navigate] = useLocation();
  const token = useHash();
  const search = useSearch();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (location !== SIGN_IN_PATH)
      tabMemory.write(LEFT_PLACE, search === '' ? location : `${location}?${search}`);
  }, [location, search]);

  async function enter(): Promise<void> {
    if (location === SIGN_IN_PATH) {
      navigate(tabMemory.read(LEFT_PLACE) ?? '/', { replace: true });
      tabMemory.write(LEFT_PLACE, null);
    }
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

/** A press signs in, not the opening of the page: mail scanners open every link. */
function LinkEntry({ token, onEnter }: { token: string; onEnter: () => Promise<void> }) {
  const [needsOwner, setNeedsOwner] = useState(false);
  const [owner, setOwner] = useState({ name: '', email: '' });
  const entering = useMutation({
    mutationFn: () => call('POST signIn', { body: { token, ...(needsOwner && { owner }) } }),
    onSuccess: async ({ needs_owner }) => {
      if (needs_owner) setNeedsOwner(true);
      else await onEnter();
    },
  });

  return (
    <>
      <Form
        className="gate-form"
        isChecked
        failure={messageOf(entering.error)}
        onSubmit={() => entering.mutate()}
      >
        {needsOwner ? (
          <>
            <p className="quiet">
              You are the first here, and become the owner. Later links are mailed to your address.
            </p>
            <Field
              label="Your name"
              autoComplete="name"
              isRequired
              maxLength={100}
              autoFocus
              value={owner.name}
              onChange={(name) => setOwner({ ...owner, name })}
            />
            <Field
              label="E-mail address"
              kind="email"
              autoComplete="email"
              isRequired
              value={owner.email}
              onChange={(email) => setOwner({ ...owner, email })}
            />
          </>
        ) : (
          <p className="quiet">Your link works once, within 15 minutes.</p>
        )}
        <Button type="submit" variant="primary" isBusy={entering.isPending}>
          {needsOwner ? 'Become the owner' : 'Sign in'}
        </Button>
      </Form>
      {entering.isError && (
        <a className="quiet" href="/console/sign-in">
          Sign in another way
        </a>
      )}
    </>
  );
}

/** The message is the same for every address: the server does not reveal whose they are. */
function MailEntry() {
  const [email, setEmail] = useState('');
  const mailing = useMutation({
    mutationFn: () => call('POST signInMail', { body: { email } }),
  });

  return (
    <Form
      className="gate-form"
      isChecked
      failure={messageOf(mailing.error)}
      onSubmit={() => mailing.mutate()}
    >
      <Field
        label="E-mail address"
        kind="email"
        autoComplete="email webauthn"
        isRequired
        value={email}
        onChange={setEmail}
      />
      <Button type="submit" variant="primary" isBusy={mailing.isPending}>
        Mail me a link
      </Button>
      <p role="status" className="quiet">
        {mailing.isSuccess &&
          'If an operator has this address, a link is on its way. It works for 15 minutes.'}
      </p>
    </Form>
  );
}

function PasskeyEntry({ onEnter }: { onEnter: () => Promise<void> }) {
  const entering = useMutation({ mutationFn: signInByPasskey, onSuccess: onEnter });
  if (!allowsPasskeys()) return null;
  return (
    <div className="gate-form">
      <Button
        icon={<KeyRound aria-hidden="true" size={16} />}
        isBusy={entering.isPending}
        onClick={() => entering.mutate()}
      >
        Use a passkey
      </Button>
      <Failure text={entering.isError ? explainPasskey(entering.error) : ''} />
    </div>
  );
}

/** A domain over HTTPS, or localhost: an IP address is no domain. */
function allowsPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(window.location.hostname);
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress;
}

/** Stopping the browser's own dialog is no failure to explain. */
export function explainPasskey(error: unknown): string {
  return error instanceof RequestError ? messageOf(error) : 'The passkey was not used.';
}
