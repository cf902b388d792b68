import type { Brand } from '../../brand/brand-shape.ts';
import type { Member } from '../../contract/schemas.ts';
import { openLookUps } from '../db/batcher.ts';
import type { Database } from '../db/database.ts';
import { readMemberId, unknownMember } from './member-id-rules.ts';
import { memberView } from './member-view.ts';
import { readMembers } from './store.ts';

export type StatusReader = ReturnType<typeof openStatusReader>;

type StatusReaderOptions = {
  readonly database: Database;
  readonly brand: Brand;
};

/** Members and positions of one read are of one moment. */
export function openStatusReader({ database, brand }: StatusReaderOptions) {
  const members = openLookUps(database, async (ids) => {
    const rows = await readMembers(database, ids);
    return new Map(rows.map((row) => [row.id, memberView(brand.tiers, row)]));
  });
  return {
    async getStatus(memberId: string): Promise<Member> {
      const id = readMemberId(memberId);
      const member = id === null ? null : await members.submit(id);
      if (member === null) throw unknownMember();
      return member;
    },
    close: () => members.close(),
  };
}
