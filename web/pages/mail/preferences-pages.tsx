import type { ReactNode } from 'react';
import { MAIL_FIELD } from '../../../contract/mail-pages.ts';
import type { MailState } from '../../../contract/member-states.ts';
import { fillPath, mailPagePaths, ownStatusPath, pagePaths } from '../../../contract/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { placeholder } from '../parts/page-without-script.tsx';
import { MemberPage } from './member-page.tsx';

export function PreferencesPage({ mail }: { mail: MailState }) {
  return (
    <MemberPage title="Mail and data">
      <MailCard state={mail} />
      <Card id="data" title="Your data">
        <p className="quiet">Everything we keep about you, in one file.</p>
        <form method="post" action={fillPath(mailPagePaths.downloadData, placeholder('token'))}>
          <Button type="submit" variant="secondary">
            Download my data
          </Button>
        </form>
      </Card>
      <Card id="leave" title="Leave">
        <p className="quiet">
          Give up your place and erase everything about you. We ask you once more before that.
        </p>
        <ButtonLink variant="secondary" href={fillPath(mailPagePaths.leave, placeholder('token'))}>
          Leave the line
        </ButtonLink>
      </Card>
    </MemberPage>
  );
}

/** An old link no longer opens the data, but still stops mail. */
export function PreferencesExpiredPage({ mail }: { mail: MailState }) {
  return (
    <MemberPage title="This link has expired" isUnlit>
      <p>
        It no longer opens your data. Join again with the same address, and we will mail you a new
        one, unless you have stopped our mail.
      </p>
      <ButtonLink href={pagePaths.landing}>Return to Waitlist</ButtonLink>
      <MailCard state={mail} isExpired />
    </MemberPage>
  );
}

type MailChoice = {
  readonly badge: string;
  readonly text: ReactNode;
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
  readonly isExpired?: boolean;
};

function MailCard({ state, isExpired = false }: MailCardProps) {
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
        <form method="post" action={fillPath(mailPagePaths.preferences, placeholder('token'))}>
          <input type="hidden" name={MAIL_FIELD} value={change.to} />
          <Button type="submit" variant="secondary">
            {change.label}
          </Button>
        </form>
      )}
    </Card>
  );
}
