import { type ComponentProps, type FormEvent, useEffect, useRef, useState } from 'react';
import { apiPaths, fillPath } from '../../../contract/paths.ts';
import type { InviterView } from '../../../contract/schemas.ts';
import { isMember, isObject } from '../../api/answer-shapes.ts';
import { request } from '../../api/request.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useAsyncEffect } from '../../use-async-effect.ts';

const TRY_LATER = 'Please try again later.';

type State = 'closed' | 'offered' | 'idle' | 'sending' | 'given';

export function InviterCard({ memberId }: { memberId: string }) {
  const [state, setState] = useState<State>('closed');
  const [message, setMessage] = useState('');
  const path = fillPath(apiPaths.inviter, memberId);
  const field = useRef<HTMLInputElement>(null);
  const thanks = useRef<HTMLParagraphElement>(null);

  useAsyncEffect(
    async (signal) => {
      // A failure shows nothing, and the next visit repeats the call.
      const view = isNewMember(memberId, Date.now())
        ? await request(path, TRY_LATER, isInviterView, { signal }).catch(() => null)
        : null;
      if (view?.until) setState('offered');
    },
    [memberId, path],
  );

  // An effect runs after the field is enabled again, or removed with its button.
  useEffect(() => {
    if (state === 'given') thanks.current?.focus();
    if (state === 'idle') field.current?.focus();
  }, [state]);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState('sending');
    setMessage('');
    try {
      const body = { invite: field.current?.value };
      await request(path, TRY_LATER, isMember, { post: { body } });
      setState('given');
    } catch (error) {
      setState('idle');
      setMessage((error as Error).message);
    }
  }

  if (state === 'closed') return null;
  if (state === 'offered')
    return (
      <button type="button" className="inviter inviter-link" onClick={() => setState('idle')}>
        Who invited you?
      </button>
    );
  return (
    <Card title="Who invited you?" id="inviter" className="inviter">
      {state === 'given' ? (
        <p ref={thanks} tabIndex={-1} role="status">
          Thank you. It counts as if you had joined by their link.
        </p>
      ) : (
        <form className="card-form" onSubmit={send}>
          <InviterFields
            ref={field}
            spellCheck={false}
            disabled={state === 'sending'}
            aria-invalid={!!message}
            message={message}
          />
        </form>
      )}
    </Card>
  );
}

type InviterFieldsProps = ComponentProps<'input'> & { readonly message: string };

export function InviterFields({ message, ...input }: InviterFieldsProps) {
  return (
    <>
      <div className="field">
        <label className="label" htmlFor="invite">
          Their link or code
        </label>
        <input
          {...input}
          id="invite"
          className="input"
          autoComplete="off"
          aria-describedby="invite-message"
        />
        <p id="invite-message" className="field-message" role="alert">
          {message}
        </p>
      </div>
      <Button type="submit" variant="secondary" isBusy={input.disabled ?? false}>
        Credit your friend
      </Button>
      <p className="quiet">Within 24 hours of joining. It moves you up, too.</p>
    </>
  );
}

function isInviterView(body: unknown): body is InviterView {
  return isObject(body) && 'until' in body;
}

/** Device clocks are unreliable: the page asks for two days, and the server decides on one. */
const NEW_MS = 2 * 86_400_000;

/** Whether the member joined lately, by the timestamp in their id (RFC 9562). */
export function isNewMember(memberId: string, nowMs: number): boolean {
  const joinedMs = Number.parseInt(memberId.slice(0, 8) + memberId.slice(9, 13), 16);
  return Math.abs(nowMs - joinedMs) < NEW_MS;
}
