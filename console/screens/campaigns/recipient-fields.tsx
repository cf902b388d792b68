import { useQuery } from '@tanstack/react-query';
import { recipientsQuery } from '../../api/campaigns.ts';
import { messageOf } from '../../api/request-error.ts';
import { FilterFields } from '../../parts/member-filter/filter-fields.tsx';
import type { SearchValues } from '../../parts/member-filter/filter-rules.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { formatAmount } from '../../ui/text/numbers.ts';
import { readRecipients } from './draft-rules.ts';

type RecipientFieldsProps = {
  readonly values: SearchValues;
  readonly onChange: (values: SearchValues) => void;
};

/** Who gets the mail, and how many members match now. */
export function RecipientFields({ values, onChange }: RecipientFieldsProps) {
  const { value: filter } = useSettled(readRecipients(values));
  const count = useQuery({
    ...recipientsQuery(filter),
    placeholderData: (last) => last,
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
        <FilterFields values={values} onChange={onChange} />
        <TextField
          label="Search"
          hint="Part of an address, a code, an id, or #position"
          maxLength={200}
          value={values.q}
          onChange={(event) => onChange({ ...values, q: event.currentTarget.value })}
        />
      </div>
    </Section>
  );
}
