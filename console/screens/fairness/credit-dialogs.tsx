import { useRef, useState } from 'react';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { ActionButton, type ActionButtonProps, ChangeDialog } from '../../parts/changes.tsx';
import { Checkbox } from '../../ui/choices.tsx';

const VERDICTS = { given: 'Approve', refused: 'Refuse' } as const;
type Verdict = keyof typeof VERDICTS;

type DecideDialogProps = {
  readonly verdict: Verdict;
  readonly what: string;
  readonly target: Omit<ChangeInput<'decide-credits'>, 'state' | 'expected'>;
  readonly onClose: () => void;
};

export function DecideDialog({ verdict, what, target, onClose }: DecideDialogProps) {
  const label = VERDICTS[verdict];
  return (
    <ChangeDialog
      title={`${label} ${what}`}
      confirmLabel={label}
      isDanger={verdict === 'refused'}
      want={{ kind: 'decide-credits', input: { state: verdict, ...target } }}
      onClose={onClose}
    />
  );
}

type DecideButtonsProps = Pick<DecideDialogProps, 'what' | 'target'> & {
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
        what="the held credits from this network"
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
        label="Then look at approving the held credits from there"
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
