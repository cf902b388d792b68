import { Card } from '../../../ui/card.tsx';

export function RewardsCard({ rewards }: { rewards: readonly string[] }) {
  return (
    <Card title="Unlocked" id="unlocked">
      <ul className="rewards">
        {rewards.map((reward) => (
          <li key={reward}>{reward}</li>
        ))}
      </ul>
    </Card>
  );
}
