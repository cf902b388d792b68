import { setTimeout as delay } from 'node:timers/promises';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { MemberCount } from '../../../contract/operator/member-list.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import type { CampaignRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict, Problem } from '../../problem.ts';
import {
  beginStopping,
  countLeaving,
  lockCampaign,
  readCampaign,
  startSending,
  stopSending,
} from './campaign-store.ts';
import { titleOf } from './campaign-text.ts';
import { assertNoProblem, countLeft, noCampaign } from './drafts.ts';

const CONFIRMED = 'Only members who have confirmed their address get it.';
const UNCONFIRMED =
  'Nobody has confirmed these addresses: anybody may have typed them, and people who never heard ' +
  'of you may get it. A mailbox that got three mails from here within seven days does not.';

/** There is no undo: a mail cannot be called back. What has not left can be cancelled. */
export function openSendCampaign(
  database: Database,
  countMembers: (filter: MemberFilter) => Promise<MemberCount>,
): Operation<'send-campaign'> {
  return {
    lock: null,
    isMailing: true,
    async plan({ campaign, revision }) {
      const row = await readCampaign(database.kysely, campaign);
      const { filter, subject } = assertSendable(row, { campaign, revision });
      const recipients = filter as MemberFilter;
      const { count, is_exact } = await countMembers(recipients);
      if (count === 0) throw conflict('Nobody in line matches this filter.');
      const members = count === 1 ? '1 member gets' : `${count.toLocaleString('en')} members get`;
      return {
        sentences: [
          `${is_exact ? members : `More than ${members}`} "${titleOf(subject)}".`,
          recipients.confirmed ? CONFIRMED : UNCONFIRMED,
          'Whoever joins later gets nothing, nor does an address that gets no mail.',
          'A mail cannot be called back: what has not left can be cancelled.',
        ],
        counts: { members: count },
      };
    },
    async apply(transaction, { campaign, revision }) {
      assertSendable(await lockCampaign(transaction, campaign), { campaign, revision });
      await startSending(transaction, campaign);
      return {
        summary: `Campaign ${campaign} began to be sent.`,
        subject: { kind: 'campaign', id: String(campaign) },
        details: { revision },
      };
    },
  };
}

/** Longer than a mail server may take for a mail that has begun. */
const LEAVING_PATIENCE_MS = 40_000;
const LOOK_EVERY_MS = 100;

/** Waits for the mails that are leaving, so that the number it tells is that of all that left. */
export function openCancelCampaign(database: Database): Operation<'cancel-campaign'> {
  return {
    lock: null,
    async read({ campaign }, isPreview) {
      if (isPreview) return;
      await beginStopping(database, campaign);
      const deadline = performance.now() + LEAVING_PATIENCE_MS;
      while ((await countLeaving(database, campaign)) > 0) {
        if (performance.now() > deadline)
          throw new Problem(
            'unavailable',
            'The mail server does not answer about the last mails: try again.',
            { retryAfterSeconds: 30 },
          );
        await delay(LOOK_EVERY_MS);
      }
    },
    async apply(transaction: Transaction, { campaign }) {
      const row = await lockCampaign(transaction, campaign);
      if (row === null) throw noCampaign(campaign);
      if (row.state !== 'sending')
        throw conflict(`Campaign ${campaign} is not being sent: it is ${row.state}.`);
      await stopSending(transaction, campaign);
      const left = countLeft(row);
      return {
        sentences: [
          'No further mail of it begins. Those that are leaving right now still arrive.',
          'How many left is said once they have: mails go on leaving while you read this.',
        ],
        summary: `Campaign ${campaign} was cancelled after ${countOf(row.sent, 'mail')}.`,
        subject: { kind: 'campaign', id: String(campaign) },
        details: { sent: row.sent, cancelled: left },
      };
    },
  };
}

function assertSendable(
  row: CampaignRow | null,
  { campaign, revision }: { campaign: number; revision: number },
): CampaignRow {
  if (row === null) throw noCampaign(campaign);
  if (row.state !== 'draft')
    throw conflict(`Campaign ${campaign} was sent already: it is ${row.state}.`);
  if (row.revision !== revision)
    throw conflict(`Campaign ${campaign} was edited meanwhile: look at it again.`);
  assertNoProblem(row);
  return row;
}
