import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { toastStore } from '../../../web/ui/toast/toast-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { SelectionBar } from '../../ui/lists/selection-bar.tsx';
import { formatAmount } from '../../ui/text/numbers.ts';

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
  const members = rows.filter(({ id }) => selected.has(id));
  if (members.length === 0) return null;
  const amount = formatAmount(members.length, 'member');

  async function copyAddresses(): Promise<void> {
    const text = members.map(({ email }) => email).join('\n');
    try {
      await navigator.clipboard.writeText(text);
      toastStore.show({
        title: `Addresses of ${amount} copied`,
        variant: 'default',
        urgency: 'foreground',
      });
    } catch {
      toastStore.show({
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
    </SelectionBar>
  );
}
