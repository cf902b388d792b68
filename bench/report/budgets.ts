/** Figures beside what they may be. Pure. */

/** `2,224`, or `**2,224** (≤ 1300, missed)` when there is a budget that it misses. */
export function besideBudget(figure: number, shown: string, budget = ''): string {
  if (budget === '') return shown;
  const [, relation, limit] = /^([≤≥]) ([\d.]+)$/.exec(budget) ?? [];
  if (relation === undefined) throw new Error(`Not a budget of ≤ or ≥ and a number: ${budget}.`);
  const isMet = relation === '≤' ? figure <= Number(limit) : figure >= Number(limit);
  return isMet ? `${shown} (${budget})` : `**${shown}** (${budget}, missed)`;
}
