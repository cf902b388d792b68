import { brand } from '../../../../brand/brand.ts';

type RewardLadderProps = {
  readonly level: number;
  readonly unlocked: readonly string[];
};

/**
 * The unlocked rewards, if any, above the rewards still to come. What each requires is secret
 * (docs/behaviour.md 1), so all steps are alike.
 */
export function RewardLadder({ level, unlocked }: RewardLadderProps) {
  const locked = brand.tiers
    .slice(level)
    .map(({ reward }) => reward)
    .filter((reward) => !unlocked.includes(reward));
  return (
    <>
      <Steps title="Unlocked" id="unlocked" rewards={unlocked} />
      <Steps title="Still to unlock" id="locked" rewards={locked} />
    </>
  );
}

type StepsProps = {
  readonly title: string;
  readonly id: string;
  readonly rewards: readonly string[];
};

function Steps({ title, id, rewards }: StepsProps) {
  return (
    rewards.length > 0 && (
      <section className="rewards" aria-labelledby={id}>
        <h3 className="label" id={id}>
          {title}
        </h3>
        <ul className={id}>
          {rewards.map((reward) => (
            <li key={reward}>{reward}</li>
          ))}
        </ul>
      </section>
    )
  );
}
