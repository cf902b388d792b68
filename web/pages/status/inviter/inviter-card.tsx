import { type FormEvent, useEffect, useRef, useState } from 'react';
import { apiPaths } from '../../../../contract/paths.ts';
import type { InviterView } from '../../../../contract/schemas.ts';
import { isMember } from '../../../api/answer-shapes.ts';
import { type Call, request } from '../../../api/request.ts';
import { Card } from '../../../ui/card.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useAsyncEffect } from '../../../use-async-effect.ts';
import { isNewMember } from './inviter-rules.ts';

type State = 'closed' | 'idle' | 'sending' | 'given';

/**
 * "Who invited you?": for a day after a join without an invite, until it is answered. The page
 * hears of the member's move as of any other.
 */
export function InviterCard({ memberId }: { memberId: string }) {
  const [state, setState] = useState<State>('closed');
  const [message, setMessage] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const thanks = useRef<HTMLParagraphElement>(null);

  useAsyncEffect(
    async (signal) => {
      // Without an answer the next visit asks again.
      const view = isNewMember(memberId, Date.now())
        ? await call(memberId, { isExpected: isInviterView, signal }).catch(() => null)
        : null;
      if (view?.until) setState('idle');
    },
    [memberId],
  );

  // When the field is enabled again, or gone with its button.
  useEffect(() => {
    if (state === 'given') thanks.current?.focus();
    if (state === 'idle' && message) field.current?.focus();
  }, [state, message]);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState('sending');
    setMessage('');
    try {
      const body = { invite: field.current?.value };
      await call(memberId, { isExpected: isMember, post: { body, headers: {} } });
      setState('given');
    } catch (error) {
      setState('idle');
      setMessage((error as Error).message);
    }
  }

  if (state === 'closed') return null;
  return (
    <Card title="Who invited you?" id="inviter">
      {state === 'given' ? (
        <p ref={thanks} tabIndex={-1} role="status">
          Thank you. It counts as if you had joined by their link.
        </p>
      ) : (
        <form className="card-form" onSubmit={send}>
          <div className="field">
            <label className="label" htmlFor="invite">
              Their link or code
            </label>
            <input
              ref={field}
              id="invite"
              className="input"
              autoComplete="off"
              spellCheck={false}
              disabled={state === 'sending'}
              aria-invalid={!!message}
              aria-describedby="invite-message"
            />
            <p id="invite-message" className="field-message" role="alert">
              {message}
            </p>
          </div>
          <Button type="submit" variant="secondary" isBusy={state === 'sending'}>
            Credit your friend
          </Button>
          <p className="quiet">Within 24 hours of joining. It moves you up, too.</p>
        </form>
      )}
    </Card>
  );
}

function call<T>(memberId: string, options: Omit<Call<T>, 'path' | 'fallback'>): Promise<T> {
  return request({
    path: apiPaths.inviter(memberId),
    fallback: 'Please try again later.',
    ...options,
  });
}

function isInviterView(body: unknown): body is InviterView {
  return typeof body === 'object' && body !== null && 'until' in body;
}
