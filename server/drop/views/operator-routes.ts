import { addCall } from '../../access/add-call.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { readMemberId, unknownMember } from '../../line/member-id-rules.ts';
import type { Platform } from '../../module.ts';
import { describeSchedule } from '../schedule/schedule.ts';
import { listAllocations, listSizes } from '../stock/store.ts';
import { getDropFacts } from './drop-facts.ts';
import { getMemberDrop, getOfferFigures, listOffers } from './get-offers.ts';

export function addDropViewRoutes(server: HttpServer, { database, brand }: Platform): void {
  addCall(server, 'GET sizes', async () => ({ sizes: await listSizes(database) }));

  addCall(server, 'GET allocations', async () => ({
    allocations: await listAllocations(database),
  }));

  addCall(server, 'GET drop', () => getDropFacts(database));

  addCall(server, 'GET schedule', () => describeSchedule(database));

  addCall(server, 'GET offers', () => getOfferFigures(database));

  addCall(server, 'POST listOffers', ({ body, may }) =>
    listOffers(database, body, { showsCodes: may.has('write') }),
  );

  addCall(server, 'GET memberDrop', async ({ params, may }) => {
    const memberId = readMemberId(params.memberId);
    const options = { tiers: brand.tiers, showsCodes: may.has('write') };
    const found = memberId && (await getMemberDrop(database, memberId, options));
    if (!found) throw unknownMember();
    return found;
  });
}
