import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FirstMember } from '../../../contract/operator/credits/first-in-line.ts';
import { makeChange, undoChange } from '../../api/changes.ts';
import { firstInLineQuery } from '../../api/fairness.ts';
import { messageOf } from '../../api/request.ts';
import { changeForm } from '../../parts/change-form.tsx';
import { type Layer, useLayerItem, useShow } from '../../parts/changes.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/buttons.tsx';
import { ActionsMenu } from '../../ui/dropdown-menu.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { showFailure } from '../../ui/toasts.tsx';
import { decide, releaseCode } from './credit-dialogs.tsx';

const REASON = 'Before the freeze.';

export const isNew = ({ looked }: FirstMember) => looked === null || looked.friends_since > 0;

function useLook({ member, looked }: FirstMember) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (isLooked: boolean) =>
      isLooked || looked === null
        ? makeChange({ kind: 'look-at-member', input: { member_id: member.id }, reason: REASON })
        : undoChange(looked.change, REASON),
    onError: (error) => showFailure('Not noted', messageOf(error)),
    onSettled: () => client.invalidateQueries(firstInLineQuery),
  });
}

type Action = 'hold' | 'release' | 'given' | 'refused';

function actionsFor({ friends, is_on_hold: isOnHold }: FirstMember) {
  const { joined, held, refused } = friends;
  const actions: [Action, string][] = [];
  if (joined > held + refused || !isOnHold) actions.push(['hold', 'Hold all']);
  if (held > 0) actions.push(['given', 'Approve held']);
  if (joined > refused) actions.push(['refused', 'Refuse all']);
  if (isOnHold) actions.push(['release', 'Stop checking new friends']);
  return actions;
}

const KEYS = { h: 'hold', a: 'given', x: 'refused' } as const;

export function FirstActions({ row, onLooked }: { row: FirstMember; onLooked: () => void }) {
  const mayWrite = useMayWrite();
  const look = useLook(row);
  const show = useShow();
  const open = (action: Action) => show(dialogOf(action, row, show));
  const actions = actionsFor(row);
  const markLooked = () => look.mutate(true, { onSuccess: onLooked });
  const keys = Object.entries(KEYS).filter(([, wanted]) => actions.some(([one]) => one === wanted));
  useShortcuts(
    mayWrite
      ? {
          l: markLooked,
          ...Object.fromEntries(keys.map(([key, wanted]) => [key, () => open(wanted)])),
        }
      : {},
  );
  if (!mayWrite) return null;
  return (
    <div className="actions">
      <Button variant="primary" isBusy={look.isPending} onClick={markLooked}>
        Looked at, next
      </Button>
      {actions.map(([one, label]) => (
        <Button key={one} onClick={() => open(one)}>
          {label}
        </Button>
      ))}
    </div>
  );
}

export function FirstMenu({ row }: { row: FirstMember }) {
  const look = useLook(row);
  const show = useShow();
  const item = useLayerItem();
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
        actionsFor(row).map(([one, label]) => item(label, dialogOf(one, row, show))),
      ]}
    />
  );
}

type Show = (layer: Layer) => void;

function dialogOf(action: Action, row: FirstMember, show: Show): Layer {
  const code = row.member.referral_code;
  if (action === 'hold') return holdAll(row, show);
  if (action === 'release') return releaseCode(code);
  const isApproval = action === 'given';
  return decide(action, {
    what: isApproval ? `all held friends of ${code}` : `all friends of ${code}`,
    isSuspect: row.suspicion.score > 0,
    target: {
      ...{ code, again: true },
      ...(!isApproval && { states: ['given', 'pending', 'held'] }),
    },
  });
}

/** Two changes, each with its undo: new friends first, then those who are there. */
function holdAll({ friends, is_on_hold: isOnHold, member }: FirstMember, show: Show): Layer {
  const code = member.referral_code;
  const present = changeForm({
    title: `Hold the friends of ${code} who are there`,
    confirmLabel: 'Hold',
    isDanger: true,
    want: { kind: 'decide-credits', input: { state: 'held', code, again: true } },
  });
  if (isOnHold) return present;
  const arePresent = friends.joined > friends.held + friends.refused;
  return changeForm({
    title: `Hold new friends of ${code}${arePresent ? ', then those who are there' : ''}`,
    confirmLabel: arePresent ? 'Hold, and go on' : 'Hold',
    want: { kind: 'hold-code', input: { code } },
    onMade: () => arePresent && show(present),
  });
}
