/** What can be changed about the rewards of a tier. */
import { useState } from 'react';
import type { RewardState } from '../../../contract/operator/rewards/reward-changes.ts';
import type { RewardTier } from '../../../contract/operator/rewards/rewards.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { formatCents, readCents } from './reward-words.ts';

/** Mails a link to the page that asks for an address. */
export function AskDialog({ tier: { tier }, onClose }: { tier: RewardTier; onClose: () => void }) {
  const [isAgain, setAgain] = useState(false);
  return (
    <ChangeDialog
      title="Ask where to send the reward"
      confirmLabel="Ask"
      undoNote="A mail cannot be called back."
      want={{ kind: 'ask-rewards', input: { tier, ...(isAgain && { again: true }) } }}
      onClose={onClose}
    >
      <Checkbox
        label="Also members who were asked before and have not answered"
        checked={isAgain}
        onChange={setAgain}
      />
    </ChangeDialog>
  );
}

/** Without members: all that can be sent now. */
export function SentDialog({
  tier,
  states,
  memberIds,
  onMade,
  onClose,
}: {
  tier: number;
  states?: readonly Exclude<RewardState, 'sent'>[];
  memberIds?: readonly string[];
  onMade?: () => void;
  onClose: () => void;
}) {
  return (
    <ChangeDialog
      title="Mark rewards as sent"
      confirmLabel="Mark as sent"
      want={{
        kind: 'mark-rewards-sent',
        input: {
          tier,
          ...(states && { states: [...states] }),
          ...(memberIds && { member_ids: [...memberIds] }),
        },
      }}
      onMade={onMade}
      onClose={onClose}
    />
  );
}

export function BudgetDialog({
  tier: { tier, budget },
  onClose,
}: {
  tier: RewardTier;
  onClose: () => void;
}) {
  const [units, setUnits] = useState(budget === null ? '' : String(budget.units));
  const [cost, setCost] = useState(budget === null ? '' : formatCents(budget.cents_per_unit));
  const cents = readCents(cost.replaceAll(',', ''));
  const isWhole = /^\d{1,6}$/.test(units.trim()) && cents !== null;
  return (
    <ChangeDialog
      title={`Budget of tier ${tier}`}
      confirmLabel="Set the budget"
      want={
        isWhole
          ? {
              kind: 'set-reward-budget',
              input: { tier, units: Number(units), cents_per_unit: cents },
            }
          : null
      }
      hint="Write how many rewards you can give, and what one costs."
      onClose={onClose}
    >
      <div className="field-row">
        <TextField
          label="Rewards"
          inputMode="numeric"
          data-autofocus=""
          value={units}
          onChange={(event) => setUnits(event.currentTarget.value)}
        />
        <TextField
          label="Cost of one"
          hint="In your currency, such as 12.50."
          inputMode="decimal"
          value={cost}
          onChange={(event) => setCost(event.currentTarget.value)}
        />
      </div>
    </ChangeDialog>
  );
}
