import type { WebhookDeliveries } from '../../../contract/operator/webhooks/webhooks.ts';
import type { Database } from '../../db/database.ts';
import { readEndedKey, writeEndedKey } from '../../http/cursor-rules.ts';
import { findEndpoint } from '../endpoints/edit-endpoints.ts';
import { viewDelivery } from '../webhook-views.ts';
import { readLog } from './log-store.ts';

const PAGE_SIZE = 50;
/** After every entry. */
const NEWEST = { us: 8_000_000_000_000_000, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** One page, newest first. Throws Problem unknown_path, or invalid_field for a wrong `after`. */
export async function listDeliveries(
  database: Database,
  endpointId: string,
  { after, state = null }: { after?: string; state?: string | null },
): Promise<WebhookDeliveries> {
  const { id } = await findEndpoint(database.kysely, endpointId);
  const entries = await readLog(database, {
    endpointId: id,
    state,
    before: after === undefined ? NEWEST : readEndedKey(after, 'failed'),
    limit: PAGE_SIZE,
  });
  const last = entries.length === PAGE_SIZE ? entries.at(-1) : undefined;
  const next = last === undefined ? null : writeEndedKey({ us: last.created_us, id: last.id });
  return { entries: entries.map(viewDelivery), next };
}
