import { type ComponentType, useState } from 'react';
import { Card } from '../../../ui/card.tsx';
import { Button } from '../../../ui/controls/button.tsx';

type Choice = ComponentType<{ memberId: string }>;

/** Opens the choice of sizes, whose code is fetched then. */
export function SizeCard({ memberId }: { memberId: string }) {
  const [loaded, setLoaded] = useState<{ readonly Choice: Choice } | null>(null);

  /** Offline, the button stays for another try. */
  const open = () =>
    import('./size-choice.tsx').then(
      ({ SizeChoice: Choice }) => setLoaded({ Choice }),
      () => undefined,
    );

  return (
    <Card title="Your size" id="your-size">
      {loaded ? (
        <loaded.Choice memberId={memberId} />
      ) : (
        <Button variant="secondary" onClick={open}>
          Choose sizes
        </Button>
      )}
    </Card>
  );
}
