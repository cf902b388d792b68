import { Link } from 'wouter';
import type { MemberSheet } from '../../../../contract/operator/member-sheet.ts';
import { pagePaths } from '../../../../contract/paths.ts';
import { describeRule } from '../../../parts/rule-words.ts';
import { CodeText } from '../../../ui/data/code-text.tsx';
import { KeyValues } from '../../../ui/data/key-values.tsx';
import { Pill } from '../../../ui/data/pill.tsx';
import { Stat, StatRow } from '../../../ui/data/stat.tsx';
import { Section } from '../../../ui/frame/section.tsx';
import { Address } from '../../../ui/text/address.tsx';
import { formatAmount, formatCount } from '../../../ui/text/numbers.ts';
import { formatMoment } from '../../../ui/text/times.ts';
import { CreditPill } from '../member-columns.tsx';
import { describeSource } from './source-rules.ts';

/** Where a member stands and why, where they came from, and what their own page shows. */
export function MemberFacts({
  sheet: { member, why, brought_by, page },
  hrefOf,
}: {
  sheet: MemberSheet;
  hrefOf: (id: string) => string;
}) {
  const { next_tier, rewards_unlocked } = page;
  return (
    <>
      <StatRow label="Position">
        <Stat label="Position" value={`#${formatCount(member.position)}`} isCharged />
        <Stat label="Friends" value={formatCount(member.referral_count)} />
        <Stat label="Tier" value={member.tier_level === 0 ? '—' : member.tier_level} />
      </StatRow>
      <p className="sheet-why">{why}</p>
      <KeyValues
        entries={[
          [
            'Brought by',
            brought_by ? (
              <Link key="by" href={hrefOf(brought_by.id)}>
                <Address email={brought_by.email} />, #{formatCount(brought_by.position)}
              </Link>
            ) : member.is_invited ? (
              'A member who has left'
            ) : null,
          ],
          [
            'Their credit',
            member.credit === 'none' ? null : <CreditPill key="credit" credit={member.credit} />,
          ],
          [
            'Reasons to check',
            member.credit_reasons.length === 0
              ? null
              : member.credit_reasons.map(describeRule).join(' '),
          ],
          ['Joined', formatMoment(member.joined_at)],
          [
            'Address',
            member.confirmed_at === null ? (
              <Pill key="confirmed">Not confirmed</Pill>
            ) : (
              `Confirmed ${formatMoment(member.confirmed_at)}`
            ),
          ],
          ['Source', describeSource(member)],
          ['Code', <CodeText key="code" label="the code" value={member.referral_code} />],
          ['Id', <CodeText key="id" label="the id" value={member.id} />],
        ]}
      />
      <Section
        title="Their page"
        actions={
          <a href={pagePaths.status(member.id)} target="_blank" rel="noreferrer">
            Open
          </a>
        }
      >
        <KeyValues
          entries={[
            ['Shows', `#${formatCount(page.position)} in line`],
            ['Rewards', rewards_unlocked.length === 0 ? null : rewards_unlocked.join(', ')],
            [
              'Next reward',
              next_tier &&
                `${next_tier.reward}, at ${formatAmount(next_tier.required_referrals, 'friend')}`,
            ],
            [
              'Being checked',
              page.held_referrals === undefined ? null : formatCount(page.held_referrals),
            ],
            [
              'Waiting friends',
              page.pending_referrals === undefined ? null : formatCount(page.pending_referrals),
            ],
          ]}
        />
      </Section>
    </>
  );
}
