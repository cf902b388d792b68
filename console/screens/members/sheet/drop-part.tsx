import { useQuery } from '@tanstack/react-query';
import type { MemberDrop } from '../../../../contract/operator/drop/drop-facts.ts';
import { memberDropQuery } from '../../../api/drop/drop.ts';
import { OfferPill, RewardPill } from '../../../parts/offer-pill.tsx';
import { QueryFace } from '../../../parts/query-face.tsx';
import { KeyValues } from '../../../ui/data/key-values.tsx';
import { Section } from '../../../ui/frame/section.tsx';
import { formatCount } from '../../../ui/text/numbers.ts';
import { RelativeTime } from '../../../ui/text/relative-time.tsx';

/** The sizes that a member takes, their place in the drop, their offers and their rewards. */
export function DropPart({ memberId }: { memberId: string }) {
  const query = useQuery(memberDropQuery(memberId));
  return (
    <Section title="Drop and rewards">
      <QueryFace query={query} lines={3}>
        {(data) => (
          <>
            <KeyValues
              entries={[
                ['Sizes', describeWish(data.wish)],
                ['Frozen list', describePlace(data.entrant)],
              ]}
            />
            {(data.offers.length > 0 || data.rewards.length > 0) && <Given drop={data} />}
          </>
        )}
      </QueryFace>
    </Section>
  );
}

function Given({ drop: { offers, rewards } }: { drop: MemberDrop }) {
  return (
    <ul className="mail-list" aria-label="Offers and rewards">
      {offers.map(({ id, drop, size, state, expires_at, settled_at, redeemed_at }) => (
        <li key={id}>
          <span>
            Mask of drop {drop}, {size}
          </span>
          <RelativeTime at={redeemed_at ?? settled_at ?? expires_at} />
          <OfferPill state={state} />
        </li>
      ))}
      {rewards.map(({ tier, reward, state, asked_at, sent_at }) => {
        const at = sent_at ?? asked_at;
        return (
          <li key={tier}>
            <span>{reward}</span>
            {at !== null && <RelativeTime at={at} />}
            <RewardPill state={state} />
          </li>
        );
      })}
    </ul>
  );
}

function describeWish({ sizes, takes_any }: MemberDrop['wish']): string {
  if (sizes.length === 0) return 'Any';
  return `${sizes.join(', then ')}${takes_any ? ', then any' : ' only'}`;
}

function describePlace(entrant: MemberDrop['entrant']): string | null {
  if (entrant === null) return null;
  const { drop, position, draw_order, chosen_size } = entrant;
  const chosen = chosen_size === null ? '' : `, chosen for ${chosen_size}`;
  const order = draw_order === null ? '' : `, ${formatCount(draw_order)} in the draw order`;
  return `#${formatCount(position)} of drop ${drop}${order}${chosen}`;
}
