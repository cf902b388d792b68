import { mailPagePaths } from '../../../contract/paths.ts';
import { type AddressField, OPTIONAL_ADDRESS_FIELDS } from '../../../contract/reward-address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';
import { MemberPage } from './mail-page.tsx';

export function RewardAskedPage() {
  return (
    <MemberPage title="Where does it go?">
      <p>
        <strong>{placeholder('reward')}</strong> is yours. We use the address to send it, and delete
        it soon after.
      </p>
      <AddressForm button="Send it here" />
    </MemberPage>
  );
}

export function RewardAnsweredPage() {
  return (
    <MemberPage title="We know where it goes">
      <p>
        <strong>{placeholder('reward')}</strong> goes to the address you gave us. We do not show it
        here, because mails get forwarded. You can change it until the reward is sent.
      </p>
      <AddressForm button="Send it here instead" />
    </MemberPage>
  );
}

export function RewardSentPage() {
  return (
    <MemberPage title="It is on its way">
      <p>
        <strong>{placeholder('reward')}</strong> was sent to you.
      </p>
    </MemberPage>
  );
}

export function RewardExpiredPage() {
  return (
    <PageWithoutScript>
      <EmptyState
        title="This link has expired"
        text="Your reward is safe. Write to us, and we will mail you a new link."
      />
    </PageWithoutScript>
  );
}

type Line = {
  readonly name: AddressField;
  readonly label: string;
  readonly autoComplete: string;
};

const LINES: readonly Line[] = [
  { name: 'name', label: 'Name', autoComplete: 'name' },
  { name: 'address_1', label: 'Street and number', autoComplete: 'address-line1' },
  { name: 'address_2', label: 'More, if needed', autoComplete: 'address-line2' },
  { name: 'postcode', label: 'Postcode, if there is one', autoComplete: 'postal-code' },
  { name: 'town', label: 'Town and region', autoComplete: 'address-level2' },
  { name: 'country', label: 'Country', autoComplete: 'country-name' },
];

function AddressForm({ button }: { readonly button: string }) {
  const action = mailPagePaths.reward(placeholder('token'), placeholder('level'));
  return (
    <form className="reward-form" method="post" action={action}>
      {LINES.map(({ name, label, autoComplete }) => (
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
