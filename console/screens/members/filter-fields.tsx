import { brand } from '../../../brand/brand.ts';
import { DateTimeField, Select, TextField } from '../../ui/fields.tsx';
import {
  confirmedOptions,
  creditOptions,
  type FilterField,
  mailOptions,
  tierOptions,
} from './filter-rules.ts';

export type FilterFieldsProps<Values> = {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

/** The parts of a filter, except for its text. The first takes the focus of a dialog. */
export function FilterFields<Values extends Readonly<Record<FilterField, string>>>({
  values,
  onChange,
}: FilterFieldsProps<Values>) {
  const field = (name: FilterField) => ({
    value: values[name],
    onChange: (value: string) => onChange({ ...values, [name]: value }),
  });
  return (
    <>
      <TextField
        label="Positions"
        data-autofocus=""
        hint="1-50, first 50, or 51- for all behind"
        maxLength={40}
        {...field('positions')}
      />
      <Select label="Tier" options={tierOptions(brand.tiers)} {...field('tier')} />
      <Select label="Credit for their referrer" options={creditOptions} {...field('credit')} />
      <Select label="Mail" options={mailOptions} {...field('mail')} />
      <Select label="Address" options={confirmedOptions} {...field('confirmed')} />
      <TextField
        label="Source"
        hint="A utm_source, campaign or host; (none): not known"
        maxLength={64}
        {...field('source')}
      />
      <div className="fields field-row">
        <DateTimeField label="Joined from" {...field('from')} />
        <DateTimeField label="Joined before" {...field('to')} />
      </div>
    </>
  );
}
