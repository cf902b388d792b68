/** What everybody may know about a drop: its state, and all that a check of its draw needs. */
import { DrawRecordView, DropNumber, DropView } from '../../contract/drop/drop-views.ts';
import { routePatterns } from '../../contract/paths.ts';
import { ErrorBody } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import { openDrawRecords } from '../drop/steps/draw-record.ts';
import { announcementOf, getDrop } from '../drop/steps/drop-state.ts';
import type { HttpServer } from '../http/http-server.ts';

export function addDropRoutes(server: HttpServer, database: Database): void {
  const records = openDrawRecords(database);

  server.get(
    routePatterns.drop,
    { schema: { summary: 'The state of the last drop', response: { 200: DropView } } },
    async (): Promise<DropView> => {
      const drop = await getDrop(database);
      return {
        number: drop.number,
        state: drop.state,
        frozen_at: drop.frozen_at?.toISOString() ?? null,
        list_hash: drop.list_hash,
        announcement: announcementOf(drop),
        announcement_hash: drop.announcement_hash,
        selected_at: drop.selected_at?.toISOString() ?? null,
        closed_at: drop.closed_at?.toISOString() ?? null,
      };
    },
  );

  server.get(
    routePatterns.draw,
    {
      schema: {
        summary: 'The record of a draw, which anyone can recompute',
        description: 'Up to two megabytes. decisions/0096-verifiable-draw.md has the recipe.',
        params: DropNumber,
        response: { 200: DrawRecordView, 404: ErrorBody, 422: ErrorBody },
      },
    },
    async ({ params }, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .send((await records.read(Number(params.number))) as never),
  );
}
