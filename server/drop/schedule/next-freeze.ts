import type { DropState } from '../../../contract/drop/states.ts';
import type { Database } from '../../db/database.ts';
import { getSchedule } from './schedule.ts';

export type NextFreeze = {
  /** While it is open, friends can still confirm for the next list. */
  readonly state: DropState;
  readonly at: Date | null;
  /** Null unless it is planned, and the site shows when. */
  readonly publicAt: Date | null;
  readonly timeZone: string;
};

export async function getNextFreeze(database: Pick<Database, 'kysely'>): Promise<NextFreeze> {
  const { drop, steps } = await getSchedule(database);
  const step = steps.find((one) => one.step === 'freeze-drop' && one.state === 'scheduled');
  const at = step?.due_at ?? null;
  const publicAt = drop.is_schedule_public ? at : null;
  return { state: drop.state, at, publicAt, timeZone: drop.time_zone };
}
