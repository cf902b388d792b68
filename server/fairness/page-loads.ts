/** Networks that opened a page lately: a form that comes without was sent by a script. */
import { LRUCache } from 'lru-cache';

const MAX_NETWORKS = 100_000;
const KNOWN_FOR_SECONDS = 12 * 3_600;
const VISIT_SECONDS = 600;
/** A person needs longer to open a page, type an address and send the form. */
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
    /** Several people may share a visit, whose speed says nothing about any one of them. */
    judge(network: number, at: number): { isLoaded: boolean; isFast: boolean } {
      const visit = visits.get(network);
      const isLoaded = visit !== undefined && at - visit.last < KNOWN_FOR_SECONDS;
      return { isLoaded, isFast: isLoaded && at - visit.first < FAST_SECONDS };
    },
  };
}
