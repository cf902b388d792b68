import { mailPagePaths } from '../../../contract/paths.ts';
import { type AddressField, OPTIONAL_ADDRESS_FIELDS } from '../../../contract/reward-address.ts';
import { Button } from '../../ui/controls/button.tsx';
import { placeholder } from '../parts/page-without-script.tsx';

const LINES: readonly (readonly [name: AddressField, label: string, autoComplete: string])[] = [
  ['name', 'Name', 'name'],
  ['address_1', 'Street and number', 'address-line1'],
  ['address_2', 'More, if needed', 'address-line2'],
  ['postcode', 'Postcode, if there is one', 'postal-code'],
  ['town', 'Town and region', 'address-level2'],
  ['country', 'Country', 'country-name'],
];

export function AddressForm({ button }: { readonly button: string }) {
  const action = mailPagePaths.reward(placeholder('token'), placeholder('level'));
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
