import { Link } from 'wouter';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { read } from '../../api/queries.ts';
import { type Layer, useLayerItem, useMayWrite } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { Button } from '../../ui/buttons.tsx';
import { DropdownMenu } from '../../ui/dropdown-menu.tsx';

type Member = { readonly id: string; readonly email: string; readonly referral_code: string };
type Target = { readonly member_ids: string[] } | { readonly filter: MemberFilter };

export const memberCountQuery = (filter: MemberFilter) =>
  read('POST countMembers', { body: { filter } });

export const removeMembers = (target: Target, onMade?: () => void) =>
  changeForm({
    title: 'Remove members',
    confirmLabel: 'Remove',
    isDanger: true,
    want: { kind: 'remove-members', input: target },
    onMade,
  });

type MemberActionsProps = {
  readonly member: Member & Pick<ListedMember, 'credit'>;
  readonly onGone: () => void;
};

export function MemberActions({ member, onGone }: MemberActionsProps) {
  const { id, email, credit } = member;
  const decision = { what: email, target: { member_ids: [id], again: true } };
  const mayWrite = useMayWrite();
  const item = useLayerItem();
  if (!mayWrite) return null;
  return (
    <DropdownMenu
      trigger={<Button>Change</Button>}
      groups={[
        [
          item('Adjust points', adjustPoints(member)),
          item('Correct the address', correctAddress(member)),
          item('Mail the status link', mailLink(id)),
        ],
        ...(credit === 'none'
          ? []
          : [
              (Object.keys(VERDICTS) as Verdict[])
                .filter((verdict) => verdict !== credit)
                .map((verdict) =>
                  item(`${VERDICTS[verdict]} as a friend`, decide(verdict, decision)),
                ),
            ]),
        [
          item('Remove', removeMembers({ member_ids: [id] }, onGone), true),
          item('Erase for good', erase(member, onGone), true),
        ],
      ]}
    />
  );
}

const mailLink = (id: string) =>
  changeForm({
    title: 'Mail the status link again',
    confirmLabel: 'Mail',
    undoNote: 'A mail that was sent cannot be undone.',
    want: { kind: 'resend-link', input: { member_id: id } },
  });

const erase = ({ id, email }: Member, onMade: () => void) =>
  changeForm({
    title: `Erase ${email}`,
    confirmLabel: 'Erase for good',
    isDanger: true,
    undoNote: 'This cannot be undone.',
    want: { kind: 'erase-member', input: { member: id } },
    onMade,
    children: (
      <p className="quiet">
        Texts that may name them: <Link href="/campaigns">campaigns</Link>,{' '}
        <Link href="/stock">allocations</Link>, <Link href="/activity">activity</Link>.
      </p>
    ),
  });

const adjustPoints = ({ id, email }: Member) =>
  changeForm({
    title: `Adjust the points of ${email}`,
    confirmLabel: 'Adjust',
    fields: {
      points: { label: 'Points', hint: 'Two points are worth one friend.', isFirst: true },
    },
    want: ({ points }) => {
      const by = /^[+-]?\d{1,5}$/.test(points) ? Number(points) : 0;
      if (by === 0) return 'Write how many points to give, or with a minus, to take.';
      return { kind: 'adjust-points', input: { member_id: id, by } };
    },
  });

const correctAddress = ({ id, email: before }: Member) =>
  changeForm({
    title: 'Correct the address',
    confirmLabel: 'Correct',
    fields: { address: { label: 'Address', kind: 'email', value: before, isFirst: true } },
    want: ({ address: email }) =>
      email === '' || email === before
        ? 'Enter the correct address.'
        : { kind: 'correct-address', input: { member_id: id, email } },
  });

const VERDICTS = { given: 'Approve', held: 'Hold', refused: 'Refuse' } as const;
type Verdict = keyof typeof VERDICTS;

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
