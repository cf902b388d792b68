import { useId, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DateTimeField } from '../../ui/controls/date-time-field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import {
  confirmedOptions,
  creditOptions,
  type FilterField,
  type FilterValues,
  mailOptions,
  tierOptions,
} from './question-rules.ts';

const LONGEST_SOURCE = 64;

/** All parts of the filter at once; members must match every one. */
export function FilterDialog({
  values: before,
  onApply,
  onClose,
}: {
  values: FilterValues;
  onApply: (values: FilterValues) => void;
  onClose: () => void;
}) {
  const formId = useId();
  const [values, setValues] = useState(before);
  const setter = (name: FilterField) => (value: string) =>
    setValues((current) => ({ ...current, [name]: value }));
  const select = (name: FilterField) => ({ value: values[name], onChange: setter(name) });

  return (
    <Dialog
      title="Filter members"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="primary">
            Apply
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          onApply(values);
        }}
      >
        <Select
          label="Tier"
          data-autofocus=""
          options={tierOptions(brand.tiers)}
          {...select('tier')}
        />
        <Select label="Credit for their referrer" options={creditOptions} {...select('credit')} />
        <Select label="Mail" options={mailOptions} {...select('mail')} />
        <Select label="Address" options={confirmedOptions} {...select('confirmed')} />
        <TextField
          label="Source"
          hint="A utm_source, campaign or host; (none): not known"
          maxLength={LONGEST_SOURCE}
          value={values.source}
          onChange={(event) => setter('source')(event.currentTarget.value)}
        />
        <DateTimeField label="Joined from" {...select('from')} />
        <DateTimeField label="Joined before" {...select('to')} />
      </form>
    </Dialog>
  );
}
