import type { MadeChange } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { DEAD_DOMAIN, PAUSE } from '../draw/draw-joins.ts';
import type { Joined } from '../play-joins.ts';
import { type Ask, SECOND, VIEWER } from '../stage.ts';
import {
  change,
  days,
  type Happening,
  hours,
  minutes,
  operatorsOf,
  type Plot,
  SILENCED_EVERY,
} from './plot.ts';

export function office(plot: Plot): Happening[] {
  const { joins, joined } = plot.line;
  const by = operatorsOf(plot);
  function inviters(): Joined[] {
    const friends = new Map<number, number>();
    for (const { inviter } of joins.slice(0, joined.length))
      if (inviter !== null) friends.set(inviter, (friends.get(inviter) ?? 0) + 1);
    return [...friends]
      .toSorted(([, one], [, other]) => other - one)
      .map(([index]) => joined[index] as Joined);
  }
  function memberAt(share: number): Joined {
    const from = Math.floor(joined.length * share);
    const found = joined.find(
      ({ email }, index) =>
        index >= from && index % SILENCED_EVERY > 0 && !email.endsWith(`@${DEAD_DOMAIN}`),
    );
    return found as Joined;
  }
  const note = (ask: Ask, { id }: Joined, body: string) =>
    ask('POST', fillPath(operatorPaths.notes, id), { body });
  async function undo(ask: Ask, made: MadeChange, reason: string): Promise<void> {
    await ask('POST', fillPath(operatorPaths.undoChange, String(made.change)), { reason });
  }
  let mistake: MadeChange;
  let recount: MadeChange;

  return [
    by(days(40) - minutes(1), async (ask) => {
      await ask('POST', operatorPaths.operators, { ...SECOND, role: 'owner' });
      await ask('POST', operatorPaths.operators, { ...VIEWER, role: 'viewer' });
      const scopes = ['read', 'export'];
      await ask('POST', operatorPaths.keys, { name: 'Newsletter sync', scopes });
    }),
    by(days(30), async (ask) => {
      const held = [
        ['Medium', 2, 'Press: photographs for Basement Quarterly'],
        ['Large', 3, 'Athletes of the film, by contract'],
        ['Small', 1, 'Window of the Kraftwerk gym'],
      ] as const;
      for (const [size, quantity, text] of held)
        await change(ask, {
          kind: 'allocate-masks',
          input: { size, quantity, note: text },
          reason: 'promised before the opening',
        });
    }),
    by(PAUSE.fromMs, async (ask) => {
      const message = 'The film brought more of you than we can welcome at once. Back at nine.';
      const reason = 'the mail provider asked for an hour';
      await change(ask, { kind: 'pause-joining', input: { message }, reason });
    }),
    by(PAUSE.untilMs, async (ask) => {
      await change(ask, { kind: 'reopen-joining', input: {}, reason: 'they are ready again' });
    }),
    by(days(9), async (ask) => {
      const [first, second] = inviters();
      if (first === undefined || second === undefined) return;
      await change(ask, {
        kind: 'adjust-points',
        input: { member_id: first.id, by: 3 },
        reason: 'carried our boxes at the city marathon',
      });
      await note(
        ask,
        first,
        'Runs the Tuesday group in the old harbour. Asked for a size chart; wears Medium.',
      );
      await note(await plot.stage.signIn(SECOND), first, 'Sent the size chart on Thursday.');
      await note(ask, second, 'Writes for a running blog. Interview in December.');
    }),
    by(days(5), async (ask) => {
      await change(ask, {
        kind: 'correct-address',
        input: { member_id: memberAt(0.4).id, email: 'nora.okafor@studio.example' },
        reason: 'mistyped, wrote to us',
      });
    }),
    by(hours(20), async (ask) => {
      const input = { member_ids: [memberAt(0.7).id] };
      const reason = 'looked like a second account';
      mistake = await change(ask, { kind: 'remove-members', input, reason });
    }),
    by(hours(19), (ask) => undo(ask, mistake, 'two people of one family')),
    by(
      hours(3),
      async (ask) => {
        const input = { member_id: memberAt(0.55).id };
        await change(ask, { kind: 'resend-link', input, reason: 'lost the first mail' });
      },
      SECOND,
    ),
    by(hours(26), async (ask) => {
      const input = { size: 'Large', stock: 32 };
      recount = await change(ask, { kind: 'set-stock', input, reason: 'counted 32 of Large' });
    }),
    by(hours(22), (ask) => undo(ask, recount, 'one was in the window'), SECOND),
  ];
}
