import type { ReactNode } from 'react';
import { MAIL_FIELD, type MailState } from '../../../contract/mail-pages.ts';
import { mailPagePaths } from '../../../contract/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { place } from '../parts/mail-page.tsx';

type MailChoice = {
  readonly badge: string;
  readonly text: ReactNode;
  /** Null where the person cannot change it. */
  readonly change: { readonly to: MailState; readonly label: string } | null;
};

const choices: Readonly<Record<MailState, MailChoice>> = {
  sending: {
    badge: 'On',
    text: 'News of your place, your friends and your rewards. Once stopped, nothing is sent any more, your status link included: keep it.',
    change: { to: 'stopped', label: 'Stop all mail' },
  },
  stopped: {
    badge: 'Stopped',
    text: 'Nothing is mailed to you. Keep your status link: we cannot send it again until you turn mail on.',
    change: { to: 'sending', label: 'Turn mail on again' },
  },
  bounced: {
    badge: 'Off',
    text: 'Mail to this address came back as undeliverable, so we send none.',
    change: null,
  },
  complained: {
    badge: 'Off',
    text: 'A mail of ours was reported as spam from this address, so we send none.',
    change: null,
  },
};

/** Whether mail is sent, and the one button that changes it. */
export function MailCard({ state }: { state: MailState }) {
  const { badge, text, change } = choices[state];
  return (
    <Card id="mail" title="Mail" aside={<Badge tone={state === 'sending' ? 'charged' : 'plain'}>{badge}</Badge>}>
      <p className="quiet">{text}</p>
      {change && (
        <form method="post" action={mailPagePaths.preferences(place('token'))}>
          <input type="hidden" name={MAIL_FIELD} value={change.to} />
          <Button type="submit" variant="secondary">
            {change.label}
          </Button>
        </form>
      )}
    </Card>
  );
}
