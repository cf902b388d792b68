import {
  Schedule,
  type Schedule as ScheduleView,
} from '../../../contract/operator/drop/schedule.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { findScheduling, getSchedule } from './schedule.ts';
import { readSchedulings } from './schedule-store.ts';

export function addScheduleRoute(
  server: HttpServer,
  { database }: { readonly database: Database },
): void {
  server.get(
    operatorPaths.schedule,
    {
      config: { access: 'read' },
      schema: {
        tags: ['Drop'],
        summary: 'The steps that the last drop takes by itself',
        response: { 200: Schedule },
      },
    },
    () => describeSchedule(database),
  );
}

async function describeSchedule(database: Database): Promise<ScheduleView> {
  const { drop, now, steps } = await getSchedule(database);
  const schedulings = await readSchedulings(database, drop.number);
  return {
    drop: drop.number,
    state: drop.state,
    now: now.toISOString(),
    is_public: drop.is_schedule_public,
    steps: steps.map((row) => {
      const by = findScheduling(schedulings, row);
      return {
        step: row.step,
        at: row.due_at.toISOString(),
        time_zone: row.time_zone,
        state: row.state,
        failure: row.failure,
        settled_at: row.settled_at?.toISOString() ?? null,
        input: row.input as Record<string, unknown>,
        scheduled_by: by?.actor.name ?? null,
        change: by?.change ?? null,
      };
    }),
  };
}
