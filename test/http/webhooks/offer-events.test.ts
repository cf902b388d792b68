/** Events of offers arrive once and in order, while members join, accept and leave. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { EVENT_KINDS } from '../../../contract/operator/webhooks/webhooks.ts';
import { inTransaction } from '../../../server/db/transaction.ts';
import { scanPass, undoScan } from '../../../server/drop/hand-over/scan-pass.ts';
import { acceptOffer, declineOffer } from '../../../server/drop/offers/settle-offer.ts';
import { redeemPass, reissuePass } from '../../../server/drop/passes/passes.ts';
import { closeDrop } from '../../../server/drop/steps/close-drop.ts';
import { startOffers } from '../../../server/drop/steps/start-offers.ts';
import { makeOffers } from '../../../server/drop/steps/sweep-offers.ts';
import { cancelPass } from '../../../server/drop/till/settle-payment.ts';
import { removeMember } from '../../../server/line/change-member.ts';
import { selectMembers } from '../../line/offer-steps.ts';
import { oneEngine } from '../../support/engines.ts';
import { tellStory } from '../../support/tell-story.ts';
import { openWebhookApp, type WebhookApp } from './webhook-app.ts';

const MEMBERS = 24;

describe.each(oneEngine)('events of offers on %s', (engine) => {
  let app: WebhookApp;
  const ids: string[] = [];
  beforeAll(async () => {
    app = await openWebhookApp(engine);
    for (let index = 0; index < MEMBERS; index += 1)
      ids.push((await app.join(`m${index}@example.com`)).id);
    await selectMembers(app.database, ids, []);
  });
  afterAll(() => app.remove());

  const reported = (id?: string) =>
    app.receiver.events.filter(({ data }) => data.member_id === id).map(({ type }) => type);

  const step = tellStory('are sent as they happen, and those of a pass with them');

  step('each comes once and in order, with joins and removals at the same time', async () => {
    const { secret } = await app.add(EVENT_KINDS);
    app.receiver.secrets = [secret];
    const { database } = app;
    await inTransaction(database, async (transaction) => {
      await startOffers(transaction, { minutes: 720, time_zone: 'UTC' });
      await makeOffers(transaction);
    });
    await Promise.all([
      ...ids
        .slice(0, 16)
        .map((id, index) =>
          inTransaction(database, (transaction) =>
            index % 2 === 0 ? acceptOffer(transaction, id) : declineOffer(transaction, id),
          ),
        ),
      ...ids.slice(16, 20).map((memberId) => removeMember(database, { memberId })),
      ...[1, 2, 3, 4].map((index) => app.join(`late${index}@example.com`)),
    ]);
    // Events of an offer come before later events of its member.
    await removeMember(database, { memberId: ids[0] ?? '' });
    await inTransaction(database, makeOffers);
    await inTransaction(database, closeDrop);
    const wanted = MEMBERS + 16 + 4 + 4 + 2 + 8;
    const received = await app.receiver.waitFor(wanted);
    expect(new Set(received.map(({ id }) => id)).size).toBe(wanted);
    expect(reported(ids[0])).toEqual([
      'offer.made',
      'offer.accepted',
      'member.left',
      'pass.cancelled',
    ]);
    expect(reported(ids[1])).toEqual(['offer.made', 'offer.declined']);
    expect(reported(ids[16])).toEqual(['offer.made', 'member.left', 'offer.expired']);
    expect(reported(ids[20])).toEqual(['offer.made', 'offer.expired']);
    const [, accepted] = app.receiver.events.filter(({ data }) => data.member_id === ids[2]);
    expect(accepted?.data).toMatchObject({
      member: { id: ids[2] },
      offer: { drop: 1, state: 'accepted', order: null },
    });
    expect(JSON.stringify(accepted?.data)).not.toContain('"code"');
  });

  step('a pass that is paid, handed over, cancelled or reissued is an event', async () => {
    const { database } = app;
    const pass = await database.kysely
      .selectFrom('offer')
      .select('code')
      .where('member_id', '=', ids[2] ?? '')
      .executeTakeFirstOrThrow();
    const code = pass.code ?? '';
    for (let time = 0; time < 2; time += 1)
      await inTransaction(database, (one) => redeemPass(one, { code, order: '#1' }));
    const actor = { kind: 'system', id: null, name: 'Vera' } as const;
    const door = { actor, onlyPaid: true };
    for (const scan of ['tap', 'again']) {
      await inTransaction(database, (one) => scanPass(one, { code, scan }, door));
      if (scan === 'tap')
        await inTransaction(database, (one) => undoScan(one, { code, scan }, actor));
    }
    await inTransaction(database, (one) => cancelPass(one, code));
    await inTransaction(database, (one) => reissuePass(one, code));
    const handed = ['pass.handed_over', 'pass.handed_over'];
    const wanted = ['pass.redeemed', ...handed, 'pass.cancelled', 'offer.accepted'];
    await expect.poll(() => reported(ids[2])).toEqual(['offer.made', 'offer.accepted', ...wanted]);
  });
});
