import {
  Schedule,
  type Schedule as ScheduleView,
} from '../../../contract/operator/drop/schedule.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import type { Database } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { findScheduling, getSchedule } from './schedule.ts';
import { readSchedulings } from './schedule-store.ts';

export function addScheduleRoute(server: HttpServer, database: Database): void {
  server.get(
    operatorPaths.schedule,
    operatorRoutes('Drop')('read', 'The steps that the last drop takes by itself', {
      response: { 200: Schedule },
    }),
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
      const { step, due_at: at, time_zone, state, failure, settled_at } = isoRow(row);
      return {
        ...{ step, at, time_zone, state, failure, settled_at },
        input: row.input as Record<string, unknown>,
        scheduled_by: by?.actor.name ?? null,
        change: by?.change ?? null,
      };
    }),
  };
}
