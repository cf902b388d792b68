import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { COUNTRIES, countryName } from '../../../contract/countries.ts';
import { MAIL_FIELD, type MailPageName } from '../../../contract/mail-pages.ts';
import type { MailState } from '../../../contract/member-states.ts';
import { fillPath, mailPagePaths, ownStatusPath, pagePaths } from '../../../contract/paths.ts';
import { type AddressField, NEEDED_ADDRESS_FIELDS } from '../../../contract/reward-address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { InlineArt } from '../../ui/inline-art.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';

export function mailPage(name: MailPageName) {
  const [, expired, mail] = /^preferences-(expired-)?(\w+)$/.exec(name) ?? [];
  if (mail === undefined) return pages[name as keyof typeof pages];
  const Page = expired === undefined ? PreferencesPage : PreferencesExpiredPage;
  return <Page mail={mail as MailState} />;
}

const pages = {
  // Mail scanners open every link of a mail, and must not confirm by that.
  confirm: (
    <MemberPage title="Confirm your place" isUnlit>
      <p>
        Press the button to confirm that this address is yours. Not you? Close the page, and nothing
        changes.
      </p>
      <form method="post" action={fillPath(mailPagePaths.confirm, placeholder('token'))}>
        <Button type="submit">Confirm my place</Button>
      </form>
    </MemberPage>
  ),
  'confirm-asked': (
    <MemberPage title="Who invited you?" isUnlit>
      <p>
        Several people entered this address. Choose who invited you: that confirms your place, and
        you count as their friend. Not you? Close the page, and nothing changes.
      </p>
      <form
        className="stack mail-page-choices"
        method="post"
        action={fillPath(mailPagePaths.confirm, placeholder('token'))}
      >
        {placeholder('choices')}
      </form>
    </MemberPage>
  ),
  confirmed: (
    <MemberPage title="Your place is confirmed">
      <p>Your page shows where you stand, and holds the link that moves you up.</p>
      <ButtonLink href={ownStatusPath(placeholder('member-id'))}>Open my page</ButtonLink>
    </MemberPage>
  ),
  'confirm-expired': notice(
    'This link has expired',
    'Your place is safe. Join again with the same address for a new link.',
  ),
  leave: <LeavePage />,
  'leave-paid': <LeavePage isPaid />,
  left: notice(
    'You have left the line',
    'Everything about you is erased. Thank you for waiting with us.',
  ),
  'left-paid': notice(
    'You have left the line',
    'Your mask still comes. We keep where it goes until then; everything else is erased.',
  ),
  'reward-asked': (
    <MemberPage title="Where does it go?">
      <p>
        <Reward /> is yours. We use the address to send it, and delete it soon after.
      </p>
      <AddressForm button="Send it here" />
    </MemberPage>
  ),
  'reward-answered': (
    <MemberPage title="We know where it goes">
      <p>
        <Reward /> goes to the address you gave us. We do not show it here, because mails get
        forwarded. You can change it until the reward is sent.
      </p>
      <AddressForm button="Send it here instead" />
    </MemberPage>
  ),
  'reward-sent': (
    <MemberPage title="It is on its way">
      <p>
        <Reward /> was sent to you.
      </p>
    </MemberPage>
  ),
  'reward-expired': notice(
    'This link has expired',
    'Your reward is safe. Write to us, and we will mail you a new link.',
  ),
  'offer-open': (
    <MemberPage title="One mask is yours to take">
      <p>
        Size <strong>{placeholder('size')}</strong>, until {placeholder('until')}.{' '}
        {placeholder('detail')} Nothing happens before you press a button. Your page offers other
        sizes, in a browser with scripts.
      </p>
      <AnswerForm>
        <Button type="submit" name="act" value="accept">
          Accept in {placeholder('size')}
        </Button>
      </AnswerForm>
      <AnswerForm>
        <label className="mail-page-sure">
          <input type="checkbox" name="sure" required /> Give this mask up. It goes to the next in
          the draw order, and I cannot take it back.
        </label>
        <Button
          type="submit"
          variant="secondary"
          className="button-erase"
          name="act"
          value="decline"
        >
          Decline
        </Button>
      </AnswerForm>
    </MemberPage>
  ),
  'offer-pass': (
    <MemberPage title="Your pass">
      <p>
        One mask of size <strong>{placeholder('size')}</strong> is yours. {placeholder('detail')}
      </p>
      <div className="stack mail-page-choices">{placeholder('choices')}</div>
    </MemberPage>
  ),
  'offer-elsewhere': (
    <MemberPage title="Nothing to answer here" isUnlit>
      <p>Where you stand in this drop is on your page, in a browser with scripts.</p>
      <ButtonLink href={ownStatusPath(placeholder('member-id'))}>Open my page</ButtonLink>
    </MemberPage>
  ),
  'offer-expired': notice(
    'This link has expired',
    'Open your page: it mails you a fresh link while you have an offer or a pass.',
  ),
  // A member who has left gets the same page, so that an old link reveals no more than a wrong one.
  'link-unknown': notice(
    'This link leads nowhere',
    'It may have been cut off, or its owner has left the line. ' +
      'Join with your address, and we will mail you a new one.',
  ),
  'link-trouble': notice('That did not work', placeholder('detail')),
} satisfies Partial<Record<MailPageName, ReactNode>>;

type MemberPageProps = {
  readonly title: string;
  /** Shows the face without its charge: not confirmed, or about to leave. */
  readonly isUnlit?: boolean;
  readonly children: ReactNode;
};

function MemberPage({ title, isUnlit = false, children }: MemberPageProps) {
  return (
    <PageWithoutScript>
      <div className="stack mail-page">
        <div className={`mail-page-face ${isUnlit ? 'face-unlit' : ''}`}>
          <InlineArt id="ghost" draw={() => placeholder('ghost')} />
        </div>
        <div className="stack mail-page-text">
          <h1>{title}</h1>
          <p className="quiet">
            {brand.specified.memberName} #{placeholder('position')} in line
            <br />
            {placeholder('email')}
          </p>
          {children}
        </div>
      </div>
    </PageWithoutScript>
  );
}

function AnswerForm({ children }: { readonly children: ReactNode }) {
  const action = fillPath(mailPagePaths.offer, placeholder('token'));
  return (
    <form className="stack mail-page-choices" method="post" action={action}>
      {children}
    </form>
  );
}

function LeavePage({ isPaid = false }: { readonly isPaid?: boolean }) {
  return (
    <MemberPage title="Leave the line?" isUnlit>
      <ul className="mail-page-list">
        <li>The member behind you takes your place.</li>
        <li>Your invite link and your rewards end.</li>
        {isPaid && (
          <li>
            <strong>Your mask is paid, and still comes to you.</strong> {placeholder('detail')}
          </li>
        )}
        <li>An offer of a mask ends, and so does a pass that is not paid.</li>
        <li>Friends you invited keep their places. Whoever invited you loses that credit.</li>
        <li>
          Everything {isPaid ? 'else ' : ''}we keep about you is erased. A fingerprint of your
          address stays for a week, so that nobody has you mailed again and again; if you stopped
          our mail, it stays, so that only you can turn it on again. The address cannot be read from
          it.
        </li>
      </ul>
      <p>This cannot be undone. You may join again, at the end of the line.</p>
      <div className="stack mail-page-actions">
        <ButtonLink href={fillPath(mailPagePaths.preferences, placeholder('token'))}>
          Keep my place
        </ButtonLink>
        <form method="post" action={fillPath(mailPagePaths.leave, placeholder('token'))}>
          <Button type="submit" variant="secondary" className="button-erase">
            Leave and erase me
          </Button>
        </form>
      </div>
    </MemberPage>
  );
}

function notice(title: string, text: string) {
  return (
    <PageWithoutScript>
      <EmptyState title={title} text={text} />
    </PageWithoutScript>
  );
}

function Reward() {
  return <strong>{placeholder('reward')}</strong>;
}

const LINES: readonly (readonly [name: AddressField, label: string, autoComplete: string])[] = [
  ['name', 'Name', 'name'],
  ['address_1', 'Street and number', 'address-line1'],
  ['address_2', 'More, if needed', 'address-line2'],
  ['postcode', 'Postcode, if there is one', 'postal-code'],
  ['town', 'Town', 'address-level2'],
  ['region', 'State or region, where it is needed', 'address-level1'],
  ['country', 'Country', 'country'],
  ['phone', 'Telephone, for the carrier, if you like', 'tel'],
];

const COUNTRY_OPTIONS = COUNTRIES.map((code) => [code, countryName(code, brand.language)] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other, brand.language))
  .map(([code, name]) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));

function AddressForm({ button }: { readonly button: string }) {
  const action = fillPath(mailPagePaths.reward, placeholder('token'), placeholder('level'));
  return (
    <form className="stack reward-form" method="post" action={action}>
      {LINES.map(([name, label, autoComplete]) => (
        <div key={name} className="field">
          <label className="label" htmlFor={name}>
            {label}
          </label>
          {name === 'country' ? (
            <select id={name} name={name} className="input" autoComplete={autoComplete} required>
              <option value="" />
              {COUNTRY_OPTIONS}
            </select>
          ) : (
            <input
              id={name}
              name={name}
              className="input"
              type={name === 'phone' ? 'tel' : 'text'}
              maxLength={100}
              autoComplete={autoComplete}
              required={NEEDED_ADDRESS_FIELDS.includes(name)}
            />
          )}
        </div>
      ))}
      <Button type="submit">{button}</Button>
    </form>
  );
}

function PreferencesPage({ mail }: { mail: MailState }) {
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
function PreferencesExpiredPage({ mail }: { mail: MailState }) {
  return (
    <MemberPage title="This link has expired" isUnlit>
      <p>
        It no longer opens your data. Join again with the same address, and we will mail you a new
        one, once a day at most, unless you have stopped our mail.
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
        News of your place, your friends and your rewards. If you stop it, we send none of it, not
        even your {statusLink}: keep it. Only if a mask is offered to you do we write all the same.
      </>
    ),
    change: { to: 'stopped', label: 'Stop all mail' },
  },
  stopped: {
    badge: 'Stopped',
    text: (
      <>
        No news is mailed to you. Keep your {statusLink}: we cannot send it again until you turn
        mail on. Only if a mask is offered to you do we write about that offer all the same.
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

function MailCard({ state, isExpired = false }: { state: MailState; isExpired?: boolean }) {
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
