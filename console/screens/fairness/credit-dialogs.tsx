import { useRef, useState } from 'react';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { ActionButton, type ActionButtonProps, ChangeDialog } from '../../parts/changes.tsx';
import { Checkbox } from '../../ui/choices.tsx';

const VERDICTS = { given: 'Approve', refused: 'Refuse' } as const;
type Verdict = keyof typeof VERDICTS;

type DecideDialogProps = {
  readonly verdict: Verdict;
  readonly what: string;
  /** Whether fraud signals speak against it: then approving is no more inviting than refusing. */
  readonly isSuspect?: boolean;
  readonly target: Omit<ChangeInput<'decide-credits'>, 'state' | 'expected'>;
  readonly onClose: () => void;
};

export function DecideDialog({ verdict, what, isSuspect, target, onClose }: DecideDialogProps) {
  const label = VERDICTS[verdict];
  return (
    <ChangeDialog
      title={`${label} ${what}`}
      confirmLabel={label}
      isDanger={verdict === 'refused' || isSuspect === true}
      want={{ kind: 'decide-credits', input: { state: verdict, ...target } }}
      onClose={onClose}
    />
  );
}

type DecideButtonsProps = Pick<DecideDialogProps, 'what' | 'isSuspect' | 'target'> & {
  /** Its argument is "Approve" or "Refuse". */
  readonly wordsOf: (decide: string) => Pick<ActionButtonProps, 'label' | 'aria-label'>;
};

export function DecideButtons({ wordsOf, ...decision }: DecideButtonsProps) {
  return (['given', 'refused'] as const).map((verdict) => (
    <ActionButton
      key={verdict}
      {...wordsOf(VERDICTS[verdict])}
      dialog={(close) => <DecideDialog verdict={verdict} {...decision} onClose={close} />}
    />
  ));
}

type CodeHoldDialogProps = {
  readonly code: string;
  readonly isOnHold: boolean;
  readonly onClose: () => void;
};

export function CodeHoldDialog({ code, isOnHold, onClose }: CodeHoldDialogProps) {
  return (
    <ChangeDialog
      title={
        isOnHold ? `Stop checking new friends of ${code}` : `Check every new friend of ${code}`
      }
      confirmLabel={isOnHold ? 'Stop checking' : 'Check them'}
      want={{ kind: isOnHold ? 'release-code' : 'hold-code', input: { code } }}
      onClose={onClose}
    />
  );
}

type TrustDialogProps = {
  readonly friend: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
};

export function TrustDialog({ friend: { id, email }, onClose }: TrustDialogProps) {
  const [goesOn, setGoesOn] = useState(true);
  const [isTrusted, setTrusted] = useState(false);
  const stays = useRef(false);
  if (isTrusted)
    return (
      <DecideDialog
        verdict="given"
        what="the waiting friends from this network"
        target={{ network_of: id, again: true }}
        onClose={onClose}
      />
    );
  return (
    <ChangeDialog
      title={`Trust the network of ${email}`}
      confirmLabel="Trust"
      want={{ kind: 'trust-network', input: { member_id: id } }}
      onMade={() => {
        stays.current = goesOn;
        setTrusted(goesOn);
      }}
      onClose={() => {
        if (!stays.current) onClose();
      }}
    >
      <Checkbox
        label="Then look at approving the friends who wait from there"
        checked={goesOn}
        onChange={setGoesOn}
      />
    </ChangeDialog>
  );
}

export function DistrustDialog({ friend: { id, email }, onClose }: TrustDialogProps) {
  return (
    <ChangeDialog
      title={`Trust the network of ${email} no more`}
      confirmLabel="Trust no more"
      want={{ kind: 'distrust-network', input: { member_id: id } }}
      onClose={onClose}
    />
  );
}
