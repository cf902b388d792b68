import { Type } from 'typebox';
import { DropFacts, MemberDrop } from '../../../contract/operator/drop/drop-facts.ts';
import { OfferPage } from '../../../contract/operator/drop/listed-offers.ts';
import { OfferFigures } from '../../../contract/operator/drop/offers.ts';
import { Schedule } from '../../../contract/operator/drop/schedule.ts';
import { Allocations, MaskSizes } from '../../../contract/operator/masks.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { operatorRoutes } from '../../access/route-schemas.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import type { Platform } from '../../module.ts';
import { describeSchedule } from '../schedule/schedule.ts';
import { listAllocations, listSizes } from '../stock/store.ts';
import { getDropFacts } from './drop-facts.ts';
import { getMemberDrop, getOfferFigures, listOffers } from './get-offers.ts';

const masksRoute = operatorRoutes('Masks');
const dropRoute = operatorRoutes('Drop');
const offersRoute = operatorRoutes('Offers');

export function addDropViewRoutes(server: HttpServer, { database, brand }: Platform): void {
  server.get(
    operatorPaths.sizes,
    masksRoute('read', 'GET sizes', {
      response: { 200: MaskSizes },
    }),
    async () => ({ sizes: await listSizes(database) }),
  );

  server.get(
    operatorPaths.allocations,
    masksRoute('read', 'GET allocations', { response: { 200: Allocations } }),
    async () => ({ allocations: await listAllocations(database) }),
  );

  server.get(
    operatorPaths.drop,
    offersRoute('read', 'GET drop', { response: { 200: DropFacts } }),
    () => getDropFacts(database),
  );

  server.get(
    operatorPaths.schedule,
    dropRoute('read', 'GET schedule', {
      response: { 200: Schedule },
    }),
    () => describeSchedule(database),
  );

  server.get(
    operatorPaths.offers,
    offersRoute('read', 'GET offers', {
      response: { 200: OfferFigures },
    }),
    () => getOfferFigures(database),
  );

  server.post(
    operatorPaths.listOffers,
    offersRoute('read', 'POST listOffers', {
      response: { 200: OfferPage, ...REFUSED_BODY },
    }),
    ({ body, may }) => listOffers(database, body, { showsCodes: may.has('write') }),
  );

  server.get(
    operatorPaths.memberDrop,
    offersRoute('read', 'GET memberDrop', {
      params: Type.Object({ memberId: Type.String() }),
      response: { 200: MemberDrop, 404: ErrorBody },
    }),
    async ({ params, may }) => {
      const memberId = readMemberId(params.memberId);
      const options = { tiers: brand.tiers, showsCodes: may.has('write') };
      const found = memberId && (await getMemberDrop(database, memberId, options));
      if (!found) throw unknownMember();
      return found;
    },
  );
}
