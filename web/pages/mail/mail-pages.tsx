import type { ReactNode } from 'react';
import type { MailPageName } from '../../../contract/mail-pages.ts';
import type { MailState } from '../../../contract/member-states.ts';
import { fillPath, mailPagePaths, ownStatusPath } from '../../../contract/paths.ts';
import { type AddressField, OPTIONAL_ADDRESS_FIELDS } from '../../../contract/reward-address.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';
import { MemberPage } from './member-page.tsx';
import { PreferencesExpiredPage, PreferencesPage } from './preferences-pages.tsx';

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
  leave: (
    <MemberPage title="Leave the line?" isUnlit>
      <ul className="mail-page-list">
        <li>The member behind you takes your place.</li>
        <li>Your invite link and your rewards end.</li>
        <li>Friends you invited keep their places. Whoever invited you loses that credit.</li>
        <li>
          Everything we keep about you is erased. If you stopped our mail, we keep a fingerprint of
          your address, so that nobody can turn it on again. The address cannot be read from it.
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
  ),
  left: notice(
    'You have left the line',
    'Everything about you is erased. Thank you for waiting with us.',
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
  // A member who has left gets the same page, so that an old link reveals no more than a wrong one.
  'link-unknown': notice(
    'This link leads nowhere',
    'It may have been cut off, or its owner has left the line. ' +
      'Join with your address, and we will mail you a new one.',
  ),
  'link-trouble': notice('That did not work', placeholder('detail')),
} satisfies Partial<Record<MailPageName, ReactNode>>;

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
  ['town', 'Town and region', 'address-level2'],
  ['country', 'Country', 'country-name'],
];

function AddressForm({ button }: { readonly button: string }) {
  const action = fillPath(mailPagePaths.reward, placeholder('token'), placeholder('level'));
  return (
    <form className="stack reward-form" method="post" action={action}>
      {LINES.map(([name, label, autoComplete]) => (
        <div key={name} className="field">
          <label className="label" htmlFor={name}>
            {label}
          </label>
          <input
            id={name}
            name={name}
            className="input"
            type="text"
            maxLength={100}
            autoComplete={autoComplete}
            required={!OPTIONAL_ADDRESS_FIELDS.includes(name)}
          />
        </div>
      ))}
      <Button type="submit">{button}</Button>
    </form>
  );
}
