import { Type } from 'typebox';
import { DrawRecord } from '../../../contract/drop/draw-record.ts';
import {
  DropNumber,
  DropPlaceView,
  DropView,
  GivenView,
  SizeWishRequest,
  SizeWishView,
} from '../../../contract/drop/drop-views.ts';
import { apiPaths, pagePaths } from '../../../contract/paths.ts';
import { ErrorBody, REFUSED_MEMBER_CALL } from '../../../contract/schemas.ts';
import { type HttpServer, publicRoute } from '../../http/http-server.ts';
import { readPause } from '../../line/changes/change-store.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import type { Platform } from '../../module.ts';
import { writeCalendar } from '../schedule/calendar-rules.ts';
import { getSchedule, nextPublicStep, publicEvents } from '../schedule/schedule.ts';
import { openDrawRecords } from '../steps/draw-record.ts';
import { getWish, setWish } from '../steps/size-wishes.ts';
import { getGiven, viewDrop } from './drop-facts.ts';
import { openDropPlaces } from './drop-standing.ts';

export function addDropRoutes(
  server: HttpServer,
  { config: { publicUrl }, database, limits, brand }: Platform,
): void {
  const readRecord = openDrawRecords(database);
  const getPlace = openDropPlaces(database, brand);
  const readOwnWish = (id: string) => getWish(database, id);

  server.get(
    apiPaths.drop,
    publicRoute('The state of the last drop', { response: { 200: DropView } }),
    async (): Promise<DropView> => {
      const [schedule, pause] = await Promise.all([
        getSchedule(database),
        readPause(database.kysely),
      ]);
      const { drop, now } = schedule;
      const next = nextPublicStep(schedule);
      return {
        ...viewDrop(drop),
        paused: pause?.message ?? null,
        now: now.toISOString(),
        next_step: next && {
          step: next.step,
          at: next.due_at.toISOString(),
          time_zone: next.time_zone,
        },
      };
    },
  );

  server.get(pagePaths.calendar, { schema: { hide: true } }, async (_request, reply) => {
    const schedule = await getSchedule(database);
    const { host } = new URL(publicUrl);
    return reply
      .header('cache-control', 'no-cache')
      .type('text/calendar; charset=utf-8')
      .send(
        writeCalendar(publicEvents(schedule, { publicUrl, host, name: brand.name }), brand.name),
      );
  });

  server.get(
    apiPaths.draw,
    publicRoute('The record of a draw, which anyone can recompute', {
      description: 'Up to two megabytes. decisions/0096-verifiable-draw.md has the recipe.',
      params: DropNumber,
      response: { 200: DrawRecord, 404: ErrorBody, 422: ErrorBody },
    }),
    async ({ params }, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .send((await readRecord(Number(params.number))) as never),
  );

  server.get(
    apiPaths.given,
    publicRoute('How many masks of a drop were announced, and are offered and given by now', {
      params: DropNumber,
      response: { 200: GivenView, 404: ErrorBody, 422: ErrorBody },
    }),
    ({ params }) => getGiven(database, Number(params.number)),
  );

  async function viewOf<View>(
    memberId: string,
    read: (id: string) => Promise<View | null>,
  ): Promise<View> {
    const id = readMemberId(memberId);
    const found = id === null ? null : await read(id);
    if (found === null) throw unknownMember();
    return found;
  }

  const params = Type.Object({ memberId: Type.String() });
  server.get(
    apiPaths.dropPlace,
    publicRoute('Where a member stands in the last drop', {
      params,
      response: { 200: DropPlaceView, 404: ErrorBody, 503: ErrorBody },
    }),
    ({ params: { memberId } }) => viewOf(memberId, getPlace),
  );

  server.get(
    apiPaths.sizes,
    publicRoute('The sizes that a member takes', {
      params,
      response: { 200: SizeWishView, 404: ErrorBody, 503: ErrorBody },
    }),
    ({ params: { memberId } }) => viewOf(memberId, readOwnWish),
  );

  server.put(
    apiPaths.sizes,
    publicRoute('Say which sizes a member takes', {
      description: 'Until the line is frozen.',
      params,
      body: SizeWishRequest,
      response: { 200: SizeWishView, ...REFUSED_MEMBER_CALL, 409: ErrorBody },
    }),
    async ({ ip, body, params: { memberId } }) => {
      limits.count('size-wish', ip);
      const id = readMemberId(memberId);
      if (id === null) throw unknownMember();
      await setWish(database, id, body);
      return await viewOf(id, readOwnWish);
    },
  );
}
