import type { FirstMember, PeopleGroup } from '../../../contract/operator/first-in-line.ts';
import { ActionButton, type Layer, useAction, useMayWrite, useShow } from '../../parts/changes.tsx';
import { changeForm, makeChange, undoChange } from '../../parts/forms.tsx';
import { Button } from '../../ui/buttons.tsx';
import { ActionsMenu } from '../../ui/dropdown-menu.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { type Decision, decide, removeMembers } from '../members/member-dialogs.tsx';
import { nameGroup } from './first-words.ts';

const REASON = 'Before the freeze.';

export const isNew = ({ looked }: FirstMember) => looked === null || looked.friends_since > 0;

function useLook({ member, looked }: FirstMember) {
  return useAction(
    (isLooked: boolean) =>
      isLooked || looked === null
        ? makeChange({ kind: 'look-at-member', input: { member_id: member.id }, reason: REASON })
        : undoChange(looked.change, REASON),
    { failed: 'Not noted' },
  );
}

export function LookButton({ row, onLooked }: { row: FirstMember; onLooked: () => void }) {
  const mayWrite = useMayWrite();
  const look = useLook(row);
  const markLooked = () => look.mutate(true, { onSuccess: onLooked });
  useShortcuts(mayWrite ? { l: markLooked } : {});
  if (!mayWrite) return null;
  return (
    <div className="actions">
      <Button variant="primary" isBusy={look.isPending} onClick={markLooked}>
        Looked at, next
      </Button>
    </div>
  );
}

/** Holds or refuses friends who share a domain or a network: others of the code stay. */
export function GroupActions({ group, code }: { group: PeopleGroup; code: string }) {
  const show = useShow();
  if (!useMayWrite()) return null;
  const { by, name, member_ids: friendIds } = group;
  const what = `the friends of ${code} ${nameGroup(group)}`;
  const target = {
    ...{ code, again: true },
    ...(by === 'domain' ? { domain: name ?? '' } : { network_of: friendIds[0] ?? '' }),
  };
  return (
    <div className="actions">
      <ActionButton
        label="Hold"
        dialog={decide('held', { what, target })}
        aria-label={`Hold ${what}`}
      />
      <ActionButton
        label="Refuse"
        dialog={refuse({ what, target, friendIds }, show)}
        aria-label={`Refuse ${what}`}
      />
      <ActionButton
        label="Approve"
        variant="quiet"
        dialog={decide('given', { what, target })}
        aria-label={`Approve ${what}`}
      />
    </div>
  );
}

export function FirstMenu({ row }: { row: FirstMember }) {
  const look = useLook(row);
  if (!useMayWrite()) return null;
  return (
    <ActionsMenu
      label={`Actions for ${row.member.email}`}
      groups={[
        [
          {
            label: isNew(row) ? 'Mark as looked at' : 'Mark as not looked at',
            onSelect: () => look.mutate(isNew(row)),
          },
        ],
      ]}
    />
  );
}

/** They keep their own places unless they are removed, too. */
function refuse(
  decision: Decision & { readonly friendIds: readonly string[] },
  show: (layer: Layer) => void,
): Layer {
  const { what, target, friendIds } = decision;
  return changeForm({
    title: `Refuse ${what}`,
    confirmLabel: 'Refuse',
    isDanger: true,
    fields: {
      goesOn: { label: 'Then look at removing them from the line', kind: 'checkbox', value: '' },
    },
    want: { kind: 'decide-credits', input: { state: 'refused', ...target } },
    onMade: (_, { goesOn }) => {
      if (goesOn !== '') show(removeMembers({ member_ids: [...friendIds] }));
    },
  });
}
