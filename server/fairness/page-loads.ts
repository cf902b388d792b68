/** Which networks opened a page of late: a form that comes without was sent by a script. */
import { LRUCache } from 'lru-cache';

const MAX_NETWORKS = 100_000;
/** A tab may stay open for long. */
const KNOWN_FOR_SECONDS = 12 * 3_600;
/** Pages opened within this time are one visit, or the visits of a crowd. */
const VISIT_SECONDS = 600;
/** Nobody opens a page, types an address and sends the form in less. */
const FAST_SECONDS = 3;

type Visit = { first: number; last: number };

export function openPageLoads() {
  const visits = new LRUCache<number, Visit>({ max: MAX_NETWORKS });
  return {
    note(network: number, at: number): void {
      const visit = visits.get(network);
      if (visit === undefined || at - visit.last > VISIT_SECONDS)
        visits.set(network, { first: at, last: at });
      else visit.last = at;
    },
    /** Where others opened the page before, nothing is known of how fast a form was sent. */
    judge(network: number, at: number): { isLoaded: boolean; isFast: boolean } {
      const visit = visits.get(network);
      const isLoaded = visit !== undefined && at - visit.last < KNOWN_FOR_SECONDS;
      return { isLoaded, isFast: isLoaded && at - visit.first < FAST_SECONDS };
    },
  };
}
