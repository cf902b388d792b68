/** What can be decided about held credits, of one friend, of a code, or of a kind. */
import { useRef, useState } from 'react';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';

export type Verdict = 'given' | 'refused';
type Target = Omit<ChangeInput<'decide-credits'>, 'state' | 'expected'>;

export function DecideDialog({
  verdict,
  title,
  target,
  onClose,
}: {
  verdict: Verdict;
  title: string;
  target: Target;
  onClose: () => void;
}) {
  return (
    <ChangeDialog
      title={title}
      confirmLabel={verdict === 'given' ? 'Approve' : 'Refuse'}
      isDanger={verdict === 'refused'}
      want={{ kind: 'decide-credits', input: { state: verdict, ...target } }}
      onClose={onClose}
    />
  );
}

/** All further credits of a code are held, or no longer. */
export function HoldDialog({
  code,
  isOnHold,
  onClose,
}: {
  code: string;
  /** Before the change. */
  isOnHold: boolean;
  onClose: () => void;
}) {
  return (
    <ChangeDialog
      title={isOnHold ? `Release the code ${code}` : `Hold all further credits of ${code}`}
      confirmLabel={isOnHold ? 'Release' : 'Hold'}
      want={{ kind: isOnHold ? 'release-code' : 'hold-code', input: { code } }}
      onClose={onClose}
    />
  );
}

type Friend = { readonly id: string; readonly email: string };

/** Trusts the network of a friend and, if wanted, goes on to approve what is held from there. */
export function TrustDialog({ friend, onClose }: { friend: Friend; onClose: () => void }) {
  const [goesOn, setGoesOn] = useState(true);
  const [isTrusted, setTrusted] = useState(false);
  const stays = useRef(false);
  if (isTrusted)
    return (
      <DecideDialog
        verdict="given"
        title="Approve the held credits from this network"
        target={{ network_of: friend.id, again: true }}
        onClose={onClose}
      />
    );
  return (
    <ChangeDialog
      title={`Trust the network of ${friend.email}`}
      confirmLabel="Trust"
      want={{ kind: 'trust-network', input: { member_id: friend.id } }}
      onMade={() => {
        stays.current = goesOn;
        setTrusted(goesOn);
      }}
      onClose={() => {
        if (!stays.current) onClose();
      }}
    >
      <Checkbox
        label="Then look at approving the held credits from there"
        checked={goesOn}
        onChange={setGoesOn}
      />
    </ChangeDialog>
  );
}

export function DistrustDialog({ friend, onClose }: { friend: Friend; onClose: () => void }) {
  return (
    <ChangeDialog
      title={`Trust the network of ${friend.email} no more`}
      confirmLabel="Trust no more"
      want={{ kind: 'distrust-network', input: { member_id: friend.id } }}
      onClose={onClose}
    />
  );
}
