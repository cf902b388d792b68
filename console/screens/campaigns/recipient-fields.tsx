import { useQuery } from '@tanstack/react-query';
import { brand } from '../../../brand/brand.ts';
import { recipientsQuery } from '../../api/campaigns.ts';
import { messageOf } from '../../api/request-error.ts';
import { DateTimeField } from '../../ui/controls/date-time-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { formatAmount } from '../../ui/text/numbers.ts';
import { type FilterFields, readFilter } from './filter-fields-rules.ts';

type RecipientFieldsProps = {
  readonly values: FilterFields;
  readonly onChange: (values: FilterFields) => void;
};

const TIERS = [
  { value: '', label: 'Any' },
  { value: '0', label: 'None yet' },
  ...brand.tiers.map(({ reward }, index) => ({
    value: String(index + 1),
    label: `${index + 1}: ${reward}`,
  })),
];
const CONFIRMED = [
  { value: '', label: 'Any' },
  { value: 'true', label: 'Confirmed' },
  { value: 'false', label: 'Not confirmed' },
];
const CREDITS = [
  { value: '', label: 'Any' },
  { value: 'given', label: 'Given' },
  { value: 'pending', label: 'Pending' },
  { value: 'held', label: 'Held' },
  { value: 'refused', label: 'Refused' },
  { value: 'none', label: 'None: they came by themselves' },
];

/** Who gets the mail, and how many members match now. */
export function RecipientFields({ values, onChange }: RecipientFieldsProps) {
  const count = useQuery({
    ...recipientsQuery(readFilter(values)),
    placeholderData: (last) => last,
  });
  const field = (name: keyof FilterFields) => ({
    value: values[name],
    onChange: (value: string) => onChange({ ...values, [name]: value }),
  });
  const input = (name: keyof FilterFields) => ({
    value: values[name],
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      onChange({ ...values, [name]: event.currentTarget.value }),
  });
  const counted = count.data && formatAmount(count.data.count, 'member');
  const found = counted && `${count.data?.is_exact ? '' : 'More than '}${counted} now`;
  return (
    <Section
      title="Recipients"
      note={
        <span role="status">{count.isError ? messageOf(count.error) : (found ?? 'Counting')}</span>
      }
    >
      <div className="campaign-fields">
        <Select label="Tier" options={TIERS} {...field('tier')} />
        <Select label="Address" options={CONFIRMED} {...field('confirmed')} />
        <Select label="Credit for their referrer" options={CREDITS} {...field('credit')} />
        <TextField label="Source" maxLength={64} {...input('source')} />
        <DateTimeField label="Joined from" {...field('from')} />
        <DateTimeField label="Joined before" {...field('to')} />
        <TextField
          label="Text"
          hint="Part of an address, a code, an id, or #position"
          maxLength={200}
          {...input('text')}
        />
      </div>
    </Section>
  );
}
