import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { changeForm } from '../../parts/change-form.tsx';
import { ActionButton, type Layer } from '../../parts/changes.tsx';

const VERDICTS = { given: 'Approve', refused: 'Refuse' } as const;
type Verdict = keyof typeof VERDICTS;

type Decision = {
  readonly what: string;
  /** Whether fraud signals speak against it: then approving is no more inviting than refusing. */
  readonly isSuspect?: boolean;
  readonly target: Omit<ChangeInput<'decide-credits'>, 'state' | 'expected'>;
};

export function decide(verdict: Verdict, { what, isSuspect = false, target }: Decision): Layer {
  const label = VERDICTS[verdict];
  return changeForm({
    title: `${label} ${what}`,
    confirmLabel: label,
    isDanger: verdict === 'refused' || isSuspect,
    want: { kind: 'decide-credits', input: { state: verdict, ...target } },
  });
}

type DecideButtonsProps = Decision & {
  readonly wordsOf: (decide: string) => { readonly label: string; readonly 'aria-label'?: string };
};

export function DecideButtons({ wordsOf, ...decision }: DecideButtonsProps) {
  return (['given', 'refused'] as const).map((verdict) => (
    <ActionButton
      key={verdict}
      {...wordsOf(VERDICTS[verdict])}
      dialog={decide(verdict, decision)}
    />
  ));
}

export const holdCode = (code: string) =>
  changeForm({
    title: `Check every new friend of ${code}`,
    confirmLabel: 'Check them',
    want: { kind: 'hold-code', input: { code } },
  });

export const releaseCode = (code: string) =>
  changeForm({
    title: `Stop checking new friends of ${code}`,
    confirmLabel: 'Stop checking',
    want: { kind: 'release-code', input: { code } },
  });

type Friend = { readonly id: string; readonly email: string };

export const distrust = ({ id, email }: Friend) =>
  changeForm({
    title: `Trust the network of ${email} no more`,
    confirmLabel: 'Trust no more',
    want: { kind: 'distrust-network', input: { member_id: id } },
  });

export const trust = ({ id, email }: Friend, show: (layer: Layer) => void) =>
  changeForm({
    title: `Trust the network of ${email}`,
    confirmLabel: 'Trust',
    fields: {
      goesOn: {
        label: 'Then look at approving the friends who wait from there',
        kind: 'checkbox',
        value: 'yes',
      },
    },
    want: { kind: 'trust-network', input: { member_id: id } },
    onMade: (_, { goesOn }) => {
      if (goesOn === '') return;
      const what = 'the waiting friends from this network';
      show(decide('given', { what, target: { network_of: id, again: true } }));
    },
  });
