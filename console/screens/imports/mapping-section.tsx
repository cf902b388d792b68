import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { checkList, importQuery } from '../../api/imports.ts';
import { messageOf } from '../../api/request-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Banner } from '../../ui/data/banner.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { FIELDS, mappingOf, suggestedFields } from './mapping-rules.ts';

const ORDERS = [
  { value: 'file', label: 'Of the file' },
  { value: 'joined_at', label: 'By time of joining' },
];
const DATES = [
  { value: '', label: 'Do not guess' },
  { value: 'day_first', label: 'Day first' },
  { value: 'month_first', label: 'Month first' },
];

type File = NonNullable<ListImport['file']>;

/** Says what each column is, with samples, and checks the rows. */
export function MappingSection({ one, file }: { one: ListImport; file: File }) {
  const client = useQueryClient();
  const [fields, setFields] = useState(() => suggestedFields(file.columns, one.mapping));
  const [order, setOrder] = useState<ImportMapping['order']>(one.mapping?.order ?? 'file');
  const [dates, setDates] = useState(one.mapping?.dates ?? '');
  const mapping = mappingOf(fields, order, dates);
  const check = useMutation({
    mutationFn: (wanted: ImportMapping) => checkList(one.id, wanted),
    onSuccess: (now) => {
      client.removeQueries({ queryKey: ['imports', one.id, 'report'] });
      client.setQueryData(importQuery(one.id).queryKey, now);
    },
  });
  const isChecking = one.state === 'checking' && !one.is_stalled;
  const options = [
    { value: '', label: 'Not used' },
    ...file.columns.map(({ name }, index) => ({ value: String(index), label: name })),
  ];
  return (
    <Section
      title="Columns"
      note={`${one.file_name}: ${file.encoding}${file.tool ? `, as ${file.tool} names them` : ''}`}
    >
      <form
        className="mapping"
        onSubmit={(event) => {
          event.preventDefault();
          if (mapping) check.mutate(mapping);
        }}
      >
        {FIELDS.map(({ field, label }) => {
          const column = file.columns[Number(fields[field] ?? Number.NaN)];
          return (
            <Select
              key={field}
              label={label}
              options={options}
              value={fields[field] ?? ''}
              onChange={(value) => setFields({ ...fields, [field]: value })}
              {...(column && { hint: `Such as ${column.samples.join(' · ') || 'nothing yet'}` })}
            />
          );
        })}
        <Select
          label="Order"
          options={ORDERS}
          value={order}
          onChange={(value) => setOrder(value === 'joined_at' ? value : 'file')}
        />
        <Select label="Dates such as 1/2/2026" options={DATES} value={dates} onChange={setDates} />
        <Button type="submit" disabled={!mapping} isBusy={check.isPending || isChecking}>
          Check the rows
        </Button>
      </form>
      {isChecking && <progress aria-label="Check" value={one.read_bytes} max={one.bytes} />}
      {one.is_stalled && <Banner tone="ember">The check has stopped: begin it again.</Banner>}
      {check.isError && <Banner tone="ember">{messageOf(check.error)}</Banner>}
    </Section>
  );
}
