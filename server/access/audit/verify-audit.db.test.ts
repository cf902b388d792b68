/** Whatever is done to the audit log is found. */
import { beforeAll, describe, expect, test } from 'vitest';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { tellStory } from '../../../test/support/tell-story.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from './record-audit.ts';
import { type AuditHead, verifyAudit } from './verify-audit.ts';

const ACTOR: Actor = { kind: 'operator', id: 'ada', name: 'Ada "the first" Löve \u2028\t☃' };
const ENTRIES = 7;

/** Statements of somebody who owns the database, and what verify says. */
const TAMPERINGS: Readonly<Record<string, [statement: string, sentence: string]>> = {
  'a changed reason': [
    `update audit_entry set reason = 'a better one' where sequence = 3`,
    'in 1 place: entry 3 was changed.',
  ],
  'a changed time': [
    `update audit_entry set at = at - interval '1 microsecond' where sequence = 1`,
    'in 1 place: entry 1 was changed.',
  ],
  'another actor': [
    `update audit_entry set actor_name = 'Grace' where sequence = ${ENTRIES}`,
    `in 1 place: entry ${ENTRIES} was changed.`,
  ],
  'a changed detail': [
    `update audit_entry set details = jsonb_set(details, '{count}', '4') where sequence = 4`,
    'in 1 place: entry 4 was changed.',
  ],
  'a changed subject': [
    `update audit_entry set subject_id = null, subject_kind = null where sequence = 2`,
    'in 1 place: entry 2 was changed.',
  ],
  'a changed entry with its new hash': [
    `update audit_entry set reason = 'a better one', hash = sha256('x') where sequence = 3`,
    'in 2 places: entry 3 was changed; entry 4 does not follow on entry 3.',
  ],
  'a removed entry': [
    'delete from audit_entry where sequence = 3',
    'in 1 place: entry 3 is missing.',
  ],
  'removed entries': [
    'delete from audit_entry where sequence between 2 and 5',
    'in 1 place: entries 2 to 5 are missing.',
  ],
  'a removed entry, with the rest moved up': [
    `delete from audit_entry where sequence = 3;
     update audit_entry set sequence = sequence + 1000 where sequence > 3;
     update audit_entry set sequence = sequence - 1001 where sequence > 1000;
     update audit_head set sequence = sequence - 1`,
    'in 5 places: entry 3 does not follow on entry 2; entry 3 was changed; entry 4 was changed.',
  ],
  'two entries that are swapped': [
    `update audit_entry set sequence = 100 where sequence = 3;
     update audit_entry set sequence = 3 where sequence = 4;
     update audit_entry set sequence = 4 where sequence = 100`,
    'in 5 places: entry 3 does not follow on entry 2; entry 3 was changed; ' +
      'entry 4 does not follow on entry 3.',
  ],
  'an end that is cut off': [
    `delete from audit_entry where sequence > 5`,
    'in 1 place: entries 6 to 7 are missing.',
  ],
  'an entry inserted at the end': [
    `insert into audit_entry select 8, at, actor_kind, actor_id, actor_name, action, subject_kind,
       subject_id, reason, details, hash, sha256('x') from audit_entry where sequence = 7`,
    'in 2 places: entry 8 was changed; entry 8 was added past the end.',
  ],
  'an entry inserted in the middle': [
    `update audit_entry set sequence = sequence + 100 where sequence > 3;
     update audit_entry set sequence = sequence - 99 where sequence > 100;
     update audit_head set sequence = sequence + 1;
     insert into audit_entry select 4, at, actor_kind, actor_id, actor_name, action, subject_kind,
       subject_id, 'mine', details, hash, hash from audit_entry where sequence = 3`,
    'in 5 places: entry 4 was changed; entry 5 was changed; entry 6 was changed.',
  ],
  'another head': [
    `update audit_head set hash = sha256('x')`,
    'in 1 place: entry 7 is not the last one written.',
  ],
  'an emptied log': ['delete from audit_entry', 'in 1 place: entries 1 to 7 are missing.'],
};

describe.each(oneEngine)('the audit log on the %s engine', (engine) => {
  const place = provideLine(engine, {}, 'all');
  let head: AuditHead;
  beforeAll(async () => {
    for (let number = 1; number <= ENTRIES; number += 1)
      expect(await record(`reason ${number} \u0001\u007f"\\/é`)).toBe(number);
    ({ head } = await verifyAudit(place.database));
  });

  function record(reason: string): Promise<number> {
    return inTransaction(place.database, (transaction) =>
      recordAudit(transaction, {
        actor: ACTOR,
        action: 'test',
        subject: { kind: 'member', id: 'x' },
        reason,
        details: { summary: 'It was tested.', count: 3, rate: 1.5, nested: { b: [], aa: null } },
      }),
    );
  }

  /** Does what only an owner can, and puts the log back after `look`. */
  async function tamper(statement: string, look: () => Promise<void>): Promise<void> {
    const kept =
      'create table kept as select * from audit_entry; ' +
      'create table kept_head as select * from audit_head;';
    const disable = (what: string) =>
      `alter table audit_entry ${what} trigger user; alter table audit_head ${what} trigger user;`;
    await place.database.runSql(`${kept} ${disable('disable')} ${statement}`);
    try {
      await look();
    } finally {
      await place.database.runSql(
        `delete from audit_entry; insert into audit_entry select * from kept; drop table kept;
         delete from audit_head; insert into audit_head select * from kept_head;
         drop table kept_head; ${disable('enable')}`,
      );
    }
  }

  const step = tellStory('goes through one step after the other');

  step('is whole, whatever it tells, and names its head', async () => {
    expect(await verifyAudit(place.database)).toEqual({
      entries: ENTRIES,
      head: { sequence: ENTRIES, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      difference: null,
    });
  });

  for (const [what, [statement, sentence]] of Object.entries(TAMPERINGS))
    step(`reports ${what}`, async () => {
      await tamper(statement, async () => {
        const { difference } = await verifyAudit(place.database);
        expect(difference).toBe(`The audit log is broken ${sentence}`);
      });
      expect((await verifyAudit(place.database)).difference).toBeNull();
    });

  step('that was cut with its head, or rewritten, does not fit a head kept elsewhere', async () => {
    const cut = `delete from audit_entry where sequence > 5;
      update audit_head set (sequence, hash) = (
        select sequence, hash from audit_entry where sequence = 5)`;
    await tamper(cut, async () => {
      expect((await verifyAudit(place.database)).difference).toBeNull();
      expect((await verifyAudit(place.database, head)).difference).toBe(
        'The audit log is broken in 1 place: entry 7, of which you kept the hash, is missing.',
      );
      for (const reason of ['another', 'past']) await record(reason);
      expect((await verifyAudit(place.database)).difference).toBeNull();
      expect((await verifyAudit(place.database, head)).difference).toBe(
        'The audit log is broken in 1 place: entry 7 is not the one of which you kept the hash.',
      );
    });
    expect((await verifyAudit(place.database, head)).difference).toBeNull();
  });

  test.each([
    `update audit_entry set reason = ''`,
    'delete from audit_entry where false',
    'truncate audit_entry',
    'delete from audit_head',
    'truncate audit_head',
  ])('refuses: %s', async (statement) => {
    await expect(place.database.runSql(statement)).rejects.toThrow(
      'The audit log is only ever added to.',
    );
  });

  test.each(['', ' \n', 'for ada@example.com', 'a\0b', '\ud800'])(
    'takes no reason such as %j',
    async (reason) => {
      await expect(record(reason)).rejects.toMatchObject({ code: 'invalid_field' });
    },
  );

  step('has one entry after the other, whoever writes at the same time', async () => {
    const numbers = await Promise.all(Array.from({ length: 20 }, () => record('at once')));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => ENTRIES + 1 + index),
    );
    expect(await verifyAudit(place.database, head)).toMatchObject({ difference: null });
  });

  step('has neither an entry nor a gap for a change that was rolled back', async () => {
    const { entries } = await verifyAudit(place.database);
    const failed = inTransaction(place.database, async (transaction) => {
      await recordAudit(transaction, {
        actor: ACTOR,
        action: 'test',
        subject: null,
        reason: 'x',
        details: { summary: 'x' },
      });
      throw new Error('changed its mind');
    });
    await expect(failed).rejects.toThrow('changed its mind');
    expect(await record('after it')).toBe(entries + 1);
  });
});
