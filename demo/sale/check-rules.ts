export function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

/** Members who take any size must be offered a mask in the draw order. */
export function findUnfair(
  entrants: readonly {
    readonly member_id: string;
    readonly draw_order: number;
    readonly takes_any: boolean;
  }[],
  offered: ReadonlySet<string>,
): string[] {
  const passed = entrants.find(({ member_id: id, takes_any: any }) => any && !offered.has(id));
  if (passed === undefined) return [];
  return entrants
    .filter(({ member_id: id, draw_order: order }) => order > passed.draw_order && offered.has(id))
    .map(
      ({ draw_order: order }) =>
        `Place ${order} of the draw was offered a mask, place ${passed.draw_order} was not.`,
    );
}

export function isQuietAt(at: Date, { from, until }: { from: string; until: string }): boolean {
  const time = at.toISOString().slice(11, 16);
  return time >= from || time < until;
}
