/** What each rule is good for: the credits of whole lines without it, by the rules alone. */
import type { Fairness } from '../../brand/brand-shape.ts';
import { judge } from './in-process.ts';
import type { Verdict } from './make-line.ts';
import type { Visit } from './visit.ts';

export type AblationRow = {
  /** Null: with all rules. */
  readonly without: string | null;
  /** Shares of the false credits that are held. */
  readonly recallAtJoin: number;
  readonly recall: number;
  readonly honestHeld: number;
};

export function ablate(lines: readonly (readonly Visit[])[], fairness: Fairness): AblationRow[] {
  const rules = Object.keys(fairness.rules) as (keyof Fairness['rules'])[];
  return [null, ...rules].map((without) => {
    const left =
      without === null
        ? fairness.rules
        : { ...fairness.rules, [without]: { ...fairness.rules[without], weight: 0 } };
    const judged = lines.map((line) => judge(line, { ...fairness, rules: left }));
    const all = judged.flatMap(({ lookingBack }) => lookingBack);
    return {
      without,
      recallAtJoin: shareHeld(
        judged.flatMap(({ atOnce }) => atOnce),
        (visit) => !visit.isHonest,
      ),
      recall: shareHeld(all, (visit) => !visit.isHonest),
      honestHeld: shareHeld(all, (visit) => visit.isHonest),
    };
  });
}

function shareHeld(verdicts: readonly Verdict[], isCounted: (visit: Visit) => boolean): number {
  const credits = verdicts.filter(({ visit }) => visit.referrer !== null && isCounted(visit));
  return credits.filter(({ isHeld }) => isHeld).length / credits.length;
}
