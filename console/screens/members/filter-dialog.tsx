import { useId, useState } from 'react';
import { FilterFields } from '../../parts/member-filter/filter-fields.tsx';
import type { FilterValues } from '../../parts/member-filter/filter-rules.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';

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
        <FilterFields values={values} onChange={setValues} />
      </form>
    </Dialog>
  );
}
