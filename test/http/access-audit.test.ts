/** Entries of the audit log about access. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { AuditPage } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/access/audit/verify-audit.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { type Ask, askWith, asToken, fromConsole, makeLink, signIn } from './operator-sessions.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('entries about access on %s', (engine) => {
  let app: TestApp;
  let owner: Ask;
  let ownerId: string;
  beforeAll(async () => {
    app = await openTestApp(engine);
    owner = askWith(app, fromConsole(await signIn(app)));
    ownerId = (await owner('GET', operatorPaths.me)).json().session.operator.id;
  });
  afterAll(() => app.remove());

  /** Entries after the one with the number, oldest first. */
  async function entriesAfter(last: number) {
    const { entries } = (await owner('GET', operatorPaths.changes)).json() as AuditPage;
    return entries.filter(({ number }) => number > last).reverse();
  }
  async function lastEntry(): Promise<number> {
    return (await entriesAfter(0)).at(-1)?.number ?? 0;
  }

  const step = tellStory('goes through one step after the other');

  step('the first link and whoever came in by it are the first two', async () => {
    expect(await entriesAfter(0)).toMatchObject([
      {
        actor: { kind: 'token' },
        action: 'make-sign-in-link',
        subject: null,
        summary: 'Made a link that signs in the first owner.',
        reason: null,
      },
      {
        actor: { kind: 'operator', id: ownerId, name: 'Ada' },
        action: 'sign-in',
        subject: { kind: 'operator', id: ownerId },
        summary: 'Became the first owner (Unknown device).',
        reason: null,
      },
    ]);
  });

  step('operators, their roles and their sessions', async () => {
    const before = await lastEntry();
    const vera = { name: 'Vera', email: 'vera@example.com', role: 'viewer' };
    const { id } = (await owner('POST', operatorPaths.operators, vera)).json();
    const cookie = await signIn(app, vera.email);
    const own = askWith(app, fromConsole(cookie));
    const [session] = (await own('GET', operatorPaths.sessions)).json().sessions;
    await own('DELETE', fillPath(operatorPaths.oneSession, session.id));
    await owner('PUT', fillPath(operatorPaths.operatorRole, id), { role: 'owner' });
    await owner('DELETE', fillPath(operatorPaths.operatorSessions, id));
    await owner('DELETE', fillPath(operatorPaths.operator, id));
    const entries = await entriesAfter(before);
    expect(entries.map(({ actor, summary }) => `${actor.name}: ${summary}`)).toEqual([
      'Ada: Invited Vera as a viewer.',
      'operator token: Made a link that signs in Vera.',
      'Vera: Signed in by a link (Unknown device).',
      'Vera: Ended a session of their own.',
      'Ada: Made Vera an owner.',
      'Ada: Ended all sessions of Vera.',
      'Ada: Removed the operator Vera.',
    ]);
    for (const { subject, reason } of entries)
      expect([subject, reason]).toEqual([{ kind: 'operator', id }, null]);
  });

  step('API keys', async () => {
    const before = await lastEntry();
    const wanted = { name: 'nightly', scopes: ['read', 'export'] };
    const { id } = (await owner('POST', operatorPaths.keys, wanted)).json();
    await owner('DELETE', fillPath(operatorPaths.key, id));
    expect(await entriesAfter(before)).toMatchObject([
      { summary: 'Made the API key "nightly", which may read, export.', reason: null },
      { summary: 'Revoked the API key "nightly".', subject: { kind: 'key', id } },
    ]);
  });

  step('a refused change leaves no entry', async () => {
    const before = await lastEntry();
    const nobody = '00000000-0000-4000-8000-000000000000';
    const refused = [
      await owner('DELETE', fillPath(operatorPaths.operator, ownerId)),
      await owner('PUT', fillPath(operatorPaths.operatorRole, ownerId), { role: 'viewer' }),
      await owner('DELETE', fillPath(operatorPaths.operatorSessions, nobody)),
      await owner('DELETE', fillPath(operatorPaths.oneSession, nobody)),
      await owner('DELETE', fillPath(operatorPaths.passkey, nobody)),
      await owner('DELETE', fillPath(operatorPaths.key, nobody)),
      await owner('POST', operatorPaths.signInLinks, { email: 'nobody@example.com' }),
      await askWith(app, {})('POST', operatorPaths.signIn, { token: 'x'.repeat(43) }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([
      409, 409, 404, 404, 404, 404, 404, 401,
    ]);
    expect(await entriesAfter(before)).toEqual([]);
  });

  step('a name that is an address is refused, and a link is not in the log', async () => {
    const named = { name: 'ada@example.com', scopes: ['read'] };
    expect((await owner('POST', operatorPaths.keys, named)).statusCode).toBe(422);
    const invited = { name: 'a@example.com', email: 'a@example.com', role: 'viewer' };
    expect((await owner('POST', operatorPaths.operators, invited)).statusCode).toBe(422);
    const token = await makeLink(app, 'ada@example.com');
    const { rows } = await app.database.runSql(
      'select row_to_json(audit_entry)::text as entry from audit_entry',
    );
    const log = JSON.stringify(rows);
    expect(log).not.toContain('@');
    expect(log).not.toContain(token);
  });

  step('a webhook that is tested by hand needs no reason', async () => {
    const url = 'https://receiver.invalid/';
    const wanted = { url, events: ['member.left'], reason: 'a test' };
    const added = await askWith(app, asToken)('POST', operatorPaths.webhooks, wanted);
    const before = await lastEntry();
    await owner('POST', fillPath(operatorPaths.testWebhook, added.json().id));
    expect(await entriesAfter(before)).toMatchObject([
      { summary: 'Sent a test event.', reason: null },
    ]);
  });

  step('the chain is whole with entries that have no reason', async () => {
    const { entries, difference } = await verifyAudit(app.database);
    expect(difference).toBeNull();
    expect(entries).toBeGreaterThan(10);
  });
});
