import { MASK_EYES_PATH, MASK_SILHOUETTE_PATH } from '../../../brand/art/mask-silhouette.ts';
import { brand } from '../../../brand/brand.ts';
import { DOTTED_FROM, REWARD_DRAWINGS } from '../../../contract/reward-drawings.ts';
import type { Member } from '../../../contract/schemas.ts';
import { Card } from '../../ui/card.tsx';
import { FACE_ID } from './share-kit.tsx';

export function RewardsCard({ member }: { member: Member }) {
  const { tier_level: level, rewards_unlocked: unlocked } = member;
  const locked = brand.tiers
    .slice(level)
    .map(({ reward }) => reward)
    .filter((reward) => !unlocked.includes(reward));
  if (unlocked.length + locked.length === 0) return null;
  return (
    <Card title="Rewards" id="rewards" className="rewards-card">
      <Rewards title="Unlocked" id="unlocked" rewards={unlocked} />
      {member.rewards_waiting && (
        <p className="quiet">Rewards are sent once enough of your friends have confirmed.</p>
      )}
      <Rewards title="Still to unlock" id="locked" rewards={locked} />
    </Card>
  );
}

type RewardsProps = {
  readonly title: string;
  readonly id: string;
  readonly rewards: readonly string[];
};

function Rewards({ title, id, rewards }: RewardsProps) {
  return (
    rewards.length > 0 && (
      <section className="rewards" aria-labelledby={id}>
        <h3 className="label" id={id}>
          {title}
        </h3>
        <ul className={id}>
          {rewards.map((reward) => (
            <li key={reward}>
              <RewardDrawing reward={reward} />
              {reward}
            </li>
          ))}
        </ul>
      </section>
    )
  );
}

function RewardDrawing({ reward }: { reward: string }) {
  const picture = brand.tiers.find((tier) => tier.reward === reward)?.picture ?? 'ticket';
  const { outline, face } = REWARD_DRAWINGS[picture];
  const { x, y, width } = face;
  return (
    <svg className="reward" viewBox="0 0 64 64" aria-hidden="true">
      <path d={outline} />
      {width < DOTTED_FROM ? (
        <path
          className="reward-mask"
          transform={`translate(${x} ${y}) scale(${width / 20})`}
          d={MASK_SILHOUETTE_PATH + MASK_EYES_PATH}
        />
      ) : (
        <use href={`#${FACE_ID}`} {...face} height={width * 1.4} />
      )}
    </svg>
  );
}
