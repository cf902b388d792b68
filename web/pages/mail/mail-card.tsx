import type { ReactNode } from 'react';
import { MAIL_FIELD, type MailState } from '../../../contract/mail-pages.ts';
import { mailPagePaths, ownStatusPath } from '../../../contract/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { placeholder } from '../parts/page-without-script.tsx';

type MailChoice = {
  readonly badge: string;
  readonly text: ReactNode;
  /** null where the member cannot change it. */
  readonly change: { readonly to: MailState; readonly label: string } | null;
};

const choicesWith = (statusLink: ReactNode): Readonly<Record<MailState, MailChoice>> => ({
  sending: {
    badge: 'On',
    text: (
      <>
        News of your place, your friends and your rewards. If you stop it, we send nothing at all,
        not even your {statusLink}: keep it.
      </>
    ),
    change: { to: 'stopped', label: 'Stop all mail' },
  },
  stopped: {
    badge: 'Stopped',
    text: (
      <>
        Nothing is mailed to you. Keep your {statusLink}: we cannot send it again until you turn
        mail on.
      </>
    ),
    change: { to: 'sending', label: 'Turn mail on again' },
  },
  bounced: {
    badge: 'Off',
    text: 'Mail to this address came back as undeliverable, so we send none.',
    change: null,
  },
  complained: {
    badge: 'Off',
    text: 'One of our mails was reported as spam from this address, so we send none.',
    change: null,
  },
});

type MailCardProps = {
  readonly state: MailState;
  /** An expired link leads to no page of the member. */
  readonly isExpired?: boolean;
};

/** Whether mail is sent, and the one button that changes it. */
export function MailCard({ state, isExpired = false }: MailCardProps) {
  const statusLink = isExpired ? (
    'status link'
  ) : (
    <a href={ownStatusPath(placeholder('member-id'))}>status link</a>
  );
  const { badge, text, change } = choicesWith(statusLink)[state];
  return (
    <Card
      id="mail"
      title="Mail"
      aside={<Badge tone={state === 'sending' ? 'charged' : 'plain'}>{badge}</Badge>}
    >
      <p className="quiet">{text}</p>
      {change && (
        <form method="post" action={mailPagePaths.preferences(placeholder('token'))}>
          <input type="hidden" name={MAIL_FIELD} value={change.to} />
          <Button type="submit" variant="secondary">
            {change.label}
          </Button>
        </form>
      )}
    </Card>
  );
}
