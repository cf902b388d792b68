/** The operator's call about the schedule of the drop. */
import { Schedule } from '../../../contract/operator/drop/schedule.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { describeSchedule } from './get-schedule.ts';

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
