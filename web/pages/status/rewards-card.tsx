import { MASK_EYES_PATH, MASK_SILHOUETTE_PATH } from '../../../brand/art/mask-silhouette.ts';
import { brand } from '../../../brand/brand.ts';
import type { RewardPicture } from '../../../brand/brand-shape.ts';
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

/** Outline of each picture in a box of 64 by 64, and the transform of the mask on it. */
const DRAWINGS: Readonly<Record<RewardPicture, { outline: string; mask: string }>> = {
  stickers: {
    outline: 'M8 12h26v34H8ZM38 18h4l14 3-6 33-24-5v-3',
    mask: 'translate(12 17) scale(.9)',
  },
  band: {
    outline: 'M6 27c0-15 52-15 52 0v10c0 15-52 15-52 0ZM6 27c0 15 52 15 52 0',
    mask: 'translate(27.5 38) scale(.45)',
  },
  shirt: {
    outline: 'M24 9 6 17l5 14 7-2v26h28V29l7 2 5-14-18-8c-3 6-13 6-16 0Z',
    mask: 'translate(24 21) scale(.8)',
  },
  print: { outline: 'M11 3h42v58H11ZM25 56h14', mask: '' },
  jacket: {
    outline:
      'M24 5 11 10 3 52h10l3-18v26h32V34l3 18h10L53 10 40 5q-8 6-16 0ZM16 55h32M24 5q8 11 16 0',
    mask: '',
  },
  ticket: {
    outline: 'M5 18h54v9a5 5 0 0 0 0 10v9H5v-9a5 5 0 0 0 0-10ZM42 21v3m0 4v3m0 4v3m0 4v1',
    mask: 'translate(17 21) scale(.75)',
  },
};

/** Pictures whose face is large enough for dots. The others show a silhouette. */
const FACES: Readonly<Partial<Record<RewardPicture, { x: number; y: number; width: number }>>> = {
  print: { x: 15, y: 5, width: 34 },
  jacket: { x: 18, y: 12, width: 28 },
};

function RewardDrawing({ reward }: { reward: string }) {
  const picture = brand.tiers.find((tier) => tier.reward === reward)?.picture ?? 'ticket';
  const { outline, mask } = DRAWINGS[picture];
  const face = FACES[picture];
  return (
    <svg className="reward" viewBox="0 0 64 64" aria-hidden="true">
      <path d={outline} />
      {face ? (
        <use href={`#${FACE_ID}`} {...face} height={face.width * 1.4} />
      ) : (
        <path className="reward-mask" transform={mask} d={MASK_SILHOUETTE_PATH + MASK_EYES_PATH} />
      )}
    </svg>
  );
}
