import type { ChangeRequest, MadeChange } from '../../contract/operator/changes.ts';
import type { Campaign, CampaignRequest } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { DAY_MS, HOUR_MS } from '../../server/durations.ts';
import { SOURCELESS } from '../../server/line/sources/source-rules.ts';
import { suppressAddress } from '../../server/mail/suppression/store.ts';
import type { Ask, Stage } from '../stage.ts';
import type { Joined, Line } from './line.ts';

type Happening = { readonly agoMs: number; happen(): Promise<void> };

const FILM: CampaignRequest = {
  subject: 'The film is out, and you are #{position}',
  body: 'You stand at **{position}**. Friends who join by {invite_link} take you further.',
  filter: { source: 'newsletter' },
};

const SILENCED_EVERY = 40;
const REASONS = ['stopped', 'bounced', 'complained'] as const;
const ALIASES = 14;
const REFUSED = 9;

/** What happens in the past besides joins and visits: what operators did, and what they saw. */
export function listHappenings(stage: Stage, line: Line): Happening[] {
  const by = (agoMs: number, act: (ask: Ask) => Promise<unknown>): Happening => ({
    agoMs,
    happen: async () => void (await act(await stage.signIn())),
  });
  let aliases: string[] = [];

  return [
    by(30 * DAY_MS, async (ask) => {
      const input = { size: 'Large', quantity: 6, note: 'Athletes of the film, by contract' };
      const reason = 'promised before the opening';
      await change(ask, { kind: 'allocate-masks', input, reason });
    }),
    by(8 * DAY_MS, async (ask) => {
      aliases = await joinAliases(line);
      const input = { member_ids: aliases, state: 'held' } as const;
      await change(ask, { kind: 'decide-credits', input, reason: 'to be looked at' });
    }),
    by(7 * DAY_MS, async (ask) => {
      const member_ids = aliases.slice(0, REFUSED);
      const input = { member_ids, state: 'refused', again: true } as const;
      await change(ask, { kind: 'decide-credits', input, reason: 'spellings of one mailbox' });
    }),
    by(2.6 * DAY_MS, async (ask) => {
      const { campaign, revision } = await ask<Campaign>('POST', operatorPaths.campaigns, FILM);
      const reason = 'the film is out';
      await change(ask, { kind: 'send-campaign', input: { campaign, revision }, reason });
      await stage.runWork('finding the recipients of a campaign');
      await stage.settleMail();
    }),
    by(DAY_MS, () => silenceAddresses(stage, line)),
    by(20 * HOUR_MS, async (ask) => {
      const { id } = line.joined[Math.floor(line.joined.length * 0.7)] as Joined;
      const reason = 'looked like a second account';
      const input = { member_ids: [id] };
      const made = await change(ask, { kind: 'remove-members', input, reason });
      const path = fillPath(operatorPaths.undoChange, String(made.change));
      await ask('POST', path, { reason: 'two people of one family' });
    }),
  ];
}

function change(ask: Ask, request: ChangeRequest): Promise<MadeChange> {
  return ask('POST', operatorPaths.changes, request);
}

async function joinAliases({ join }: Line): Promise<string[]> {
  const inviter = await join({ email: 'vex.turbo@mail.example', source: null }, undefined);
  const source = { ...SOURCELESS, via: 'copy' };
  const ids: string[] = [];
  for (let alias = 1; alias <= ALIASES; alias += 1) {
    const email = `vex.turbo+${alias}@mail.example`;
    ids.push((await join({ email, source }, inviter)).id);
  }
  return ids;
}

async function silenceAddresses(stage: Stage, { joined }: Line): Promise<void> {
  const silenced = joined.filter((_, index) => index % SILENCED_EVERY === SILENCED_EVERY - 1);
  for (const [index, { email: identity }] of silenced.entries()) {
    const reason = REASONS[index % REASONS.length] ?? 'stopped';
    await suppressAddress(stage.database, stage.secretKey, { identity, reason });
  }
}
