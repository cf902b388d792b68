import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { signIn } from '../../api/access.ts';
import { messageOf } from '../../api/request-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

/** A press signs in, not the opening of the page: mail scanners open every link. */
export function LinkEntry({ token, onEnter }: { token: string; onEnter: () => Promise<void> }) {
  const [needsOwner, setNeedsOwner] = useState(false);
  const [owner, setOwner] = useState({ name: '', email: '' });
  const entering = useMutation({
    mutationFn: () => signIn({ token, ...(needsOwner && { owner }) }),
    onSuccess: async ({ needs_owner }) => {
      if (needs_owner) setNeedsOwner(true);
      else await onEnter();
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    entering.mutate();
  }

  return (
    <form className="gate-form" onSubmit={submit}>
      {needsOwner ? (
        <>
          <p className="quiet">
            You are the first here, and become the owner. Later links are mailed to your address.
          </p>
          <TextField
            label="Your name"
            autoComplete="name"
            required
            maxLength={100}
            autoFocus
            value={owner.name}
            onChange={(event) => setOwner({ ...owner, name: event.currentTarget.value })}
          />
          <TextField
            label="E-mail address"
            type="email"
            autoComplete="email"
            required
            value={owner.email}
            onChange={(event) => setOwner({ ...owner, email: event.currentTarget.value })}
          />
        </>
      ) : (
        <p className="quiet">Your link works once, within 15 minutes.</p>
      )}
      <Button type="submit" variant="primary" isBusy={entering.isPending}>
        {needsOwner ? 'Become the owner' : 'Sign in'}
      </Button>
      <p className="field-error" role="alert">
        {entering.isError && messageOf(entering.error)}
      </p>
      {entering.isError && (
        <a className="quiet" href="/console/sign-in">
          Sign in another way
        </a>
      )}
    </form>
  );
}
