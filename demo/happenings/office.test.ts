import { expect, test } from 'vitest';
import type { ChangeRequest } from '../../contract/operator/changes.ts';
import { DEAD_DOMAIN, drawJoins } from '../draw/draw-joins.ts';
import type { Ask, Stage } from '../stage.ts';
import { office } from './office.ts';
import { type Plot, SILENCED_EVERY } from './plot.ts';

const LINES = Array.from({ length: 20 }, (_, index) => ({
  members: 100 * (index + 1),
  seed: `seed ${index}`,
}));

test.each(LINES)('operators of $members members write to one who gets mail', async (size) => {
  const joins = drawJoins(size.members, size.seed);
  const joined = joins.map(({ email }, index) => ({ id: `${index}`, referral_code: '', email }));
  const changes: ChangeRequest[] = [];
  const ask: Ask = async (_method, _path, body) => {
    changes.push(body as ChangeRequest);
    return { change: changes.length } as never;
  };
  const stage = { signIn: async () => ask } as Partial<Stage> as Stage;
  const plot: Omit<Plot, 'join' | 'receivers'> = { stage, line: { joins, joined } };
  for (const { happen } of office(plot as Plot)) await happen();
  const sent = changes.flatMap((one) => (one.kind === 'resend-link' ? [one.input.member_id] : []));
  expect(sent).toHaveLength(1);
  const index = Number(sent[0]);
  expect(index % SILENCED_EVERY).toBeGreaterThan(0);
  expect(joined[index]?.email).not.toContain(DEAD_DOMAIN);
});
