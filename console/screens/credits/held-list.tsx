import { useState } from 'react';
import { Link } from 'wouter';
import type { HeldCredits } from '../../../contract/operator/credits/credits.ts';
import { describeRule } from '../../parts/rule-words.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Address } from '../../ui/text/address.tsx';
import { formatCount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { DecideDialog, DistrustDialog, TrustDialog } from './credit-dialogs.tsx';

type HeldCredit = HeldCredits['credits'][number];
type Action = 'given' | 'refused' | 'trust' | 'distrust';

const HELD_BY = {
  join: 'Held when they joined.',
  sweep: 'Held by a later look at the whole code.',
  operator: 'Held by an operator.',
} as const;

/** Friends whose credit waits, oldest first, each with the reasons. */
export function HeldList({
  credits,
  hrefOf,
}: {
  credits: readonly HeldCredit[];
  hrefOf: (id: string) => string;
}) {
  return (
    <ul className="held-list">
      {credits.map((credit) => (
        <HeldItem key={credit.id} credit={credit} hrefOf={hrefOf} />
      ))}
    </ul>
  );
}

function HeldItem({ credit, hrefOf }: { credit: HeldCredit; hrefOf: (id: string) => string }) {
  const { id, email, position, since, held_by, credit_reasons: rules, score } = credit;
  return (
    <li>
      <p className="held-friend">
        <Link href={hrefOf(id)}>
          <Address email={email} />
        </Link>
        <span className="code-count">#{formatCount(position)}</span>
        <RelativeTime at={since} />
      </p>
      <ul className="held-reasons">
        {rules.map((rule) => (
          <li key={rule}>{describeRule(rule)}</li>
        ))}
        <li className="quiet">
          {HELD_BY[held_by]}
          {score > 0 && ` Score ${formatCount(score)}.`}
        </li>
      </ul>
      <HeldActions credit={credit} />
    </li>
  );
}

function HeldActions({ credit }: { credit: HeldCredit }) {
  const { id, email, network, held_by } = credit;
  const mayWrite = useMayWrite();
  const [action, setAction] = useState<Action | null>(null);
  const close = () => setAction(null);
  if (!mayWrite) return null;
  // An operator's own decision stands unless it is asked for again.
  const target = { member_ids: [id], ...(held_by === 'operator' && { again: true }) };
  return (
    <div className="held-actions">
      <Button aria-label={`Approve ${email}`} onClick={() => setAction('given')}>
        Approve
      </Button>
      <Button aria-label={`Refuse ${email}`} onClick={() => setAction('refused')}>
        Refuse
      </Button>
      {network === 'gone' ? (
        <span className="quiet">It is not known where they joined from.</span>
      ) : (
        <Button
          variant="quiet"
          aria-label={`${NETWORK_LABELS[network]} of ${email}`}
          onClick={() => setAction(network === 'known' ? 'trust' : 'distrust')}
        >
          {NETWORK_LABELS[network]}
        </Button>
      )}
      {(action === 'given' || action === 'refused') && (
        <DecideDialog
          verdict={action}
          title={`${action === 'given' ? 'Approve' : 'Refuse'} the credit for ${email}`}
          target={target}
          onClose={close}
        />
      )}
      {action === 'trust' && <TrustDialog friend={credit} onClose={close} />}
      {action === 'distrust' && <DistrustDialog friend={credit} onClose={close} />}
    </div>
  );
}

const NETWORK_LABELS = {
  known: 'Trust the network',
  trusted: 'Distrust the network',
} as const;
