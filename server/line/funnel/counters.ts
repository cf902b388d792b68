/** Counted in memory, and added every few seconds: a killed server loses the last ones. */
import type { Database } from '../../db/database.ts';
import { limitKeyOf } from '../../http/admission/client-address.ts';
import { SOURCELESS, type Source, sourceKey } from '../sources/source-rules.ts';
import { addCounts, type CountedPage, type CountedVisits, countOpenings } from './funnel-store.ts';

export type CountedEvent =
  | 'mail_sent'
  | 'mail_kept'
  | 'mail_later'
  | 'mail_refused'
  | 'mail_given_up'
  | 'join_limited'
  | 'proof_asked'
  | 'proof_brought';

export type Counters = ReturnType<typeof openCounters>;

const FLUSH_EVERY_MS = 5_000;
/** Visits from further sources count as visits without one, until the next flush. */
const MAX_SOURCES = 200;
const MAX_SOURCES_PER_ADDRESS = 20;
const MAX_CODES = 5_000;

type CountersOptions = {
  readonly database: Database;
  readonly onFailure: (error: unknown) => void;
};

export function openCounters({ database, onFailure }: CountersOptions) {
  const visits = new Map<string, CountedVisits>();
  const newFrom = new Map<string, number>();
  const events = new Map<CountedEvent, number>();
  const codes = new Set<string>();
  let underWay: Promise<void> = Promise.resolve();
  let isFailing = false;
  const timer = setInterval(() => void flush(), FLUSH_EVERY_MS).unref();

  function addVisits(page: CountedPage, source: Source, added: number): void {
    const key = keyOf(page, source);
    visits.set(key, { ...source, page, visits: (visits.get(key)?.visits ?? 0) + added });
  }

  function admitSource(ip: string): boolean {
    const key = limitKeyOf(ip);
    const count = newFrom.get(key) ?? 0;
    const isAdmitted = count < MAX_SOURCES_PER_ADDRESS && visits.size < MAX_SOURCES;
    if (isAdmitted) newFrom.set(key, count + 1);
    return isAdmitted;
  }

  function addEvents(event: CountedEvent, added: number): void {
    events.set(event, (events.get(event) ?? 0) + added);
  }

  async function flushCounts(): Promise<void> {
    if (visits.size === 0 && events.size === 0) return;
    const taken = { visits: [...visits.values()], events: [...events] };
    visits.clear();
    newFrom.clear();
    events.clear();
    try {
      const rows = taken.events.map(([event, events]) => ({ event, events }));
      await addCounts(database, { visits: taken.visits, events: rows });
    } catch (error) {
      // After a lost connection the counts may have been added all the same, and count twice.
      for (const { page, visits: missed, ...source } of taken.visits)
        addVisits(page, source, missed);
      for (const [event, missed] of taken.events) addEvents(event, missed);
      throw error;
    }
  }

  async function flushCodes(): Promise<void> {
    const taken = [...codes];
    if (taken.length === 0 || !(await countOpenings(database, taken))) return;
    for (const code of taken) codes.delete(code);
  }

  function flush(): Promise<void> {
    underWay = underWay.then(async () => {
      try {
        await flushCounts();
        await flushCodes();
        isFailing = false;
      } catch (error) {
        if (!isFailing) onFailure(error);
        isFailing = true;
      }
    });
    return underWay;
  }

  return {
    countVisit(page: CountedPage, source: Source | null, ip: string): void {
      const isNamed = source !== null && (visits.has(keyOf(page, source)) || admitSource(ip));
      addVisits(page, isNamed ? source : SOURCELESS, 1);
    },
    countOpening(code: string): void {
      if (codes.size < MAX_CODES) codes.add(code);
    },
    countEvent: (event: CountedEvent) => addEvents(event, 1),
    flush,
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}

const keyOf = (page: CountedPage, source: Source) => `${page}\n${sourceKey(source)}`;
