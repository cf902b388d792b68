import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { changeForm } from '../../parts/change-form.tsx';
import type { Layer } from '../../parts/changes.tsx';

const VERDICTS = { given: 'Approve', held: 'Hold', refused: 'Refuse' } as const;
export type Verdict = keyof typeof VERDICTS;

export type Decision = {
  readonly what: string;
  readonly target: Omit<ChangeInput<'decide-credits'>, 'state' | 'expected'>;
};

export function decide(verdict: Verdict, { what, target }: Decision): Layer {
  const label = VERDICTS[verdict];
  return changeForm({
    title: `${label} ${what}`,
    confirmLabel: label,
    isDanger: verdict !== 'given',
    want: { kind: 'decide-credits', input: { state: verdict, ...target } },
  });
}
