import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { mailLink } from '../../api/access.ts';
import { messageOf } from '../../api/request-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

/** Says the same for every address: the server does not tell whose they are. */
export function MailEntry() {
  const [email, setEmail] = useState('');
  const mailing = useMutation({ mutationFn: mailLink });

  function submit(event: FormEvent): void {
    event.preventDefault();
    mailing.mutate(email);
  }

  return (
    <form className="gate-form" onSubmit={submit}>
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="email webauthn"
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Button type="submit" variant="primary" isBusy={mailing.isPending}>
        Mail me a link
      </Button>
      <p role="status" className="quiet">
        {mailing.isSuccess &&
          'If an operator has this address, a link is on its way. It works for 15 minutes.'}
      </p>
      <p className="field-error" role="alert">
        {mailing.isError && messageOf(mailing.error)}
      </p>
    </form>
  );
}
