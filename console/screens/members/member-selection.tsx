import { useState } from 'react';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SelectionBar } from '../../ui/lists/selection-bar.tsx';
import { formatAmount } from '../../ui/text/numbers.ts';
import { toasts } from '../../ui/toasts/toasts.ts';
import { RemoveDialog } from './member-dialogs.tsx';

/** As many as one call takes; more are removed by a filter. */
const MAX_NAMED = 300;

/** What can be done with the members that are selected. */
export function MemberSelection({
  rows,
  selected,
  onChange,
}: {
  rows: readonly ListedMember[];
  selected: ReadonlySet<string>;
  onChange: (selected: ReadonlySet<string>) => void;
}) {
  const mayWrite = useMayWrite();
  const [isRemoving, setRemoving] = useState(false);
  const members = rows.filter(({ id }) => selected.has(id));
  if (members.length === 0) return null;
  const amount = formatAmount(members.length, 'member');

  async function copyAddresses(): Promise<void> {
    const text = members.map(({ email }) => email).join('\n');
    try {
      await navigator.clipboard.writeText(text);
      toasts.show({
        title: `Addresses of ${amount} copied`,
        variant: 'default',
        urgency: 'foreground',
      });
    } catch {
      toasts.show({
        title: 'Copy failed',
        description: 'The browser does not allow it. Export the members instead.',
        variant: 'destructive',
        urgency: 'foreground',
      });
    }
  }

  return (
    <SelectionBar summary={`${amount} selected`} onClear={() => onChange(new Set())}>
      <Button onClick={copyAddresses}>Copy addresses</Button>
      {mayWrite && (
        <Button onClick={() => setRemoving(true)} disabled={members.length > MAX_NAMED}>
          Remove
        </Button>
      )}
      {isRemoving && (
        <RemoveDialog
          target={{ member_ids: members.map(({ id }) => id) }}
          onClose={() => setRemoving(false)}
          onMade={() => onChange(new Set())}
        />
      )}
    </SelectionBar>
  );
}
