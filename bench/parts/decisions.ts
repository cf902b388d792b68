import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { openDatabase } from '../../server/db/open.ts';
import type { Place } from '../checkout.ts';
import { measureSteps, type StepFigures, stepTable } from '../load/operator-steps.ts';
import type { Part } from '../part.ts';
import type { Engine } from '../places.ts';

const RULE = 'same-network';
const ROUNDS = 3;
const CONFIRMED_PERCENT = 70;
const MAX_LOCK_MS = 200;

const optionsOf = (engine: Engine) => ({
  members: engine === 'embedded' ? 100_000 : 1_000_000,
  credits: 10_000,
  frozen: 10_000,
});
type Options = ReturnType<typeof optionsOf>;

export const decisionsPart = (engine: Engine): Part<Options, StepFigures[]> => ({
  name: `decisions-${engine}`,
  writes: 'DECISIONS.md',
  options: optionsOf(engine),
  async measure({ options, newPlace, log }) {
    const place = await newPlace(engine);
    const prepare = () => holdCredits(place, options.credits);
    const setting = { place, members: options.members, prepare, log };
    return await measureSteps(setting, async ({ call, change }, beside) => {
      const decide = (input: object) => change('decide-credits', { rule: RULE, ...input });
      let last = 0;
      const undo = () => call(fillPath(operatorPaths.undoChange, last), { reason: 'measured' });
      for (let round = 1; round <= ROUNDS; round += 1) {
        await beside('preview', () =>
          call(operatorPaths.previewChange, {
            kind: 'decide-credits',
            input: { rule: RULE, state: 'given' },
          }),
        );
        await beside('approve', async () => {
          last = await decide({ state: 'given' });
        });
        await beside('undo of it', undo);
      }
      await decide({ state: 'given' });
      await beside('hold again', () => decide({ state: 'held', again: true }));
      await beside('refuse', () => decide({ state: 'refused', again: true }));
      await beside('freeze', () => change('freeze-drop', { first: options.frozen }));
    });
  },
  targets: (steps) =>
    steps
      .filter(({ step }) => step !== 'freeze')
      .flatMap(({ lockMs }) => lockMs ?? [])
      .toSorted((a, b) => b - a)
      .slice(0, 1)
      .map((measured) => ({
        what: `${engine}: longest line lock of a decision, in ms`,
        atMost: MAX_LOCK_MS,
        measured,
      })),
  describe: (steps) => `## ${engine}\n\n${stepTable(steps)}`,
});

async function holdCredits(place: Place, credits: number): Promise<void> {
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  await database.runSql(`
    set local statement_timeout = 0;
    update member set confirmed_at = joined_at
    where hashint8extended(sequence, 43) & 65535 < 65536 * ${CONFIRMED_PERCENT} / 100;
    insert into credit_case (member_id, rules, score, holds)
    select id, '{${RULE}}', 100, true from member
    where credit = 'given' order by hashint8extended(sequence, 42) limit ${credits};
    select set_credits(array(select member_id from credit_case), 'held')`);
  await database.runSql('vacuum (analyze)');
  await database.runSql('checkpoint');
  await database.close();
}
