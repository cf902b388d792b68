import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { adjustPoints } from '../../line/changes/adjust-points.ts';
import { invalidField } from '../../problem.ts';

type Undo = { readonly memberId: string; readonly by: number };

export const adjustPointsOperation: Operation<'adjust-points'> = {
  lock: 'line',
  async apply(transaction, { member_id: memberId, by }) {
    if (by === 0) throw invalidField('The field "by" must not be 0.');
    const { email, points, position, moved } = await adjustPoints(transaction, { memberId, by });
    const undo: Undo = { memberId: memberId.toLowerCase(), by };
    return {
      sentences: [
        `${email} goes from ${countOf(points.before, 'point')} to ${points.after}.`,
        position.before === position.after
          ? 'Nobody moves.'
          : `They go from position ${position.before} to ${position.after}, and ` +
            `${countOf(moved - 1, 'other member moves', 'other members move')}.`,
      ],
      counts: { points: points.after, position: position.after, moved },
      summary:
        by > 0
          ? `A member got ${countOf(by, 'point')}.`
          : `A member lost ${countOf(-by, 'point')}.`,
      subject: { kind: 'member', id: undo.memberId },
      details: { by, points: points.after },
      undo,
    };
  },
  async undo(transaction, { memberId, by }: Undo) {
    await adjustPoints(transaction, { memberId, by: -by });
    return {
      summary:
        by > 0
          ? `A member gave ${countOf(by, 'point')} back.`
          : `A member got ${countOf(-by, 'point')} back.`,
    };
  },
};
