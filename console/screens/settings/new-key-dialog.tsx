import { useState } from 'react';
import type { KeyScope } from '../../../contract/operator/access.ts';
import { makeKey } from '../../api/access.ts';
import { messageOf } from '../../api/request-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { CodeText } from '../../ui/data/code-text.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';
import { FormDialog } from '../../ui/layers/form-dialog.tsx';
import { useAccessChange } from './use-access-change.ts';

const SCOPES: readonly (readonly [KeyScope, string])[] = [
  ['read', 'Read: see members, mail and stock'],
  ['write', 'Write: change them'],
  ['export', 'Export: download the list'],
  ['redeem', 'Redeem: use up passes, for the shop'],
];

/** Shows the key once it is made, and never again. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['read']);
  const [isMissing, setMissing] = useState(false);
  const make = useAccessChange(makeKey, { showsFailure: true });
  const failure = isMissing ? 'Choose what the key may do.' : '';

  function submit(): void {
    setMissing(scopes.length === 0);
    if (scopes.length > 0) make.mutate({ name, scopes });
  }

  if (make.data !== undefined)
    return (
      <Dialog
        title="Your new key"
        onClose={onClose}
        footer={
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <p>Copy it now: it is not shown again.</p>
        <CodeText label="the key" value={make.data.key} />
      </Dialog>
    );
  return (
    <FormDialog
      title="New API key"
      submitLabel="Make the key"
      isBusy={make.isPending}
      failure={make.isError ? messageOf(make.error) : failure}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What uses it."
        required
        maxLength={100}
        data-autofocus=""
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <fieldset>
        <legend className="field-label">It may</legend>
        {SCOPES.map(([scope, label]) => (
          <Checkbox
            key={scope}
            label={label}
            checked={scopes.includes(scope)}
            onChange={(isChecked) =>
              setScopes(isChecked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
            }
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}
