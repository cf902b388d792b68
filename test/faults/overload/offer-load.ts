/** Generates load: a planned rate whether the server keeps up or not, or a number of clients. */
import { Latencies, type Summary } from './latencies.ts';
import { type Break, type RawAnswer, RawConnection } from './raw-connection.ts';
import { type Member, openVisits, type Visit } from './visits.ts';

export type LoadPlan = {
  readonly port: number;
  /** The address that all connections come from; 127.0.0.1 by default. */
  readonly from?: string;
  readonly seconds: number;
  /** Sent instead of the mix of visits, one after the other. */
  readonly requests?: readonly string[];
  /** `open`: Poisson arrivals. `closed`: each connection sends its next request when answered. */
  readonly offer:
    | { readonly open: { readonly perSecond: number } }
    | { readonly closed: { readonly inFlight: number } };
};

export type LoadResult = {
  readonly seconds: number;
  readonly offered: number;
  /** Requests that found no free connection, or whose connection was stale. */
  readonly unsent: number;
  readonly accepted: Summary & { readonly perSecond: number };
  readonly refused: Summary;
  readonly refusedWithoutRetryAfter: number;
  /** Counts of other statuses. */
  readonly otherStatuses: Readonly<Record<string, number>>;
  /** Connections that closed during an answer, and before it. */
  readonly half: number;
  readonly unanswered: number;
};

/** Opened before the load begins, this many at a time: connecting is not measured. */
const CONNECTIONS = 4_000;
const OPENED_AT_ONCE = 100;
/** How long to wait for answers after the last request. */
const PATIENCE_MS = 120_000;

/** Adds acknowledged joins to `members`. Latencies count from the planned moment of a request. */
export async function offerLoad(
  { port, from, seconds, requests, offer }: LoadPlan,
  members: Member[],
): Promise<LoadResult> {
  const visits = requests === undefined ? openVisits(members) : repeat(requests);
  const accepted = new Latencies();
  const refused = new Latencies();
  const otherStatuses: Record<string, number> = {};
  const waiting = new Map<RawConnection, { visit: Visit; plannedAt: number }>();
  const idle: RawConnection[] = [];
  const streams: RawConnection[] = [];
  const late: number[] = [];
  let nextLate = 0;
  const counts = { offered: 0, unsent: 0, unmarked: 0, half: 0, unanswered: 0 };
  const isClosed = 'closed' in offer;
  if (!isClosed) await openConnections();
  const beganAt = performance.now();
  const endsAt = beganAt + seconds * 1000;

  function answered(answer: RawAnswer, connection: RawConnection): void {
    const asked = waiting.get(connection);
    waiting.delete(connection);
    const now = performance.now();
    if (asked !== undefined) note(answer, asked.visit, now - asked.plannedAt);
    // Its answer has no end, so that a further request would never be answered.
    if (answer.has('text/event-stream')) return void streams.push(connection);
    const plannedAt = isClosed && now < endsAt ? now : late[nextLate];
    if (!connection.isClosing && plannedAt !== undefined) {
      if (!isClosed) nextLate += 1;
      ask(connection, plannedAt);
    } else if (!connection.isClosing) idle.push(connection);
  }

  function note(answer: RawAnswer, visit: Visit, ms: number): void {
    const { status } = answer;
    if (status === 503 || status === 429) {
      refused.add(ms);
      if (!answer.has('retry-after: ')) counts.unmarked += 1;
    } else if (status === 200 || status === 201) {
      accepted.add(ms);
      if (visit === 'join') members.push(memberOf(answer.body));
    } else otherStatuses[status] = (otherStatuses[status] ?? 0) + 1;
  }

  function closed(connection: RawConnection, end: Break): void {
    if (end === 'half') counts.half += 1;
    if (end === 'unanswered') counts.unanswered += 1;
    if (end === 'unsent') counts.unsent += 1;
    waiting.delete(connection);
    const at = idle.indexOf(connection);
    if (at >= 0) idle.splice(at, 1);
  }

  function open(): RawConnection {
    return new RawConnection({ port, from, listener: { answered, closed } });
  }

  async function openConnections(): Promise<void> {
    while (idle.length < CONNECTIONS) {
      const opened = Array.from({ length: OPENED_AT_ONCE }, open);
      await Promise.all(opened.map((connection) => connection.opened));
      idle.push(...opened);
    }
  }

  function ask(connection: RawConnection, plannedAt: number): void {
    const { visit, request } = visits.next();
    counts.offered += 1;
    waiting.set(connection, { visit, plannedAt });
    connection.send(request);
  }

  function askSoon(plannedAt: number): void {
    const connection = takeIdle() ?? (waiting.size < CONNECTIONS ? open() : undefined);
    if (connection === undefined) late.push(plannedAt);
    else ask(connection, plannedAt);
  }

  /** The longest idle one. */
  function takeIdle(): RawConnection | undefined {
    for (let connection = idle.shift(); connection !== undefined; connection = idle.shift()) {
      if (connection.isClosing) continue;
      if (!connection.isStale) return connection;
      connection.end();
    }
    return undefined;
  }

  if ('closed' in offer)
    for (let index = 0; index < offer.closed.inFlight; index += 1) ask(open(), beganAt);
  else {
    let next = beganAt;
    while (next < endsAt) {
      const now = performance.now();
      for (
        ;
        next <= now && next < endsAt;
        next += (-Math.log(1 - Math.random()) * 1000) / offer.open.perSecond
      )
        askSoon(next);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  while (performance.now() < endsAt) await new Promise((resolve) => setTimeout(resolve, 10));
  const unplaced = late.length - nextLate;
  nextLate = late.length;
  while (waiting.size > 0 && performance.now() < endsAt + PATIENCE_MS)
    await new Promise((resolve) => setTimeout(resolve, 10));
  counts.unanswered += waiting.size;
  for (const connection of [...idle, ...streams, ...waiting.keys()]) connection.end();
  return {
    seconds,
    offered: counts.offered + unplaced,
    unsent: counts.unsent + unplaced,
    accepted: { ...accepted.summary(), perSecond: accepted.summary().count / seconds },
    refused: refused.summary(),
    refusedWithoutRetryAfter: counts.unmarked,
    otherStatuses,
    half: counts.half,
    unanswered: counts.unanswered,
  };
}

function repeat(requests: readonly string[]): ReturnType<typeof openVisits> {
  let sent = 0;
  return {
    next() {
      sent += 1;
      return { visit: 'page', request: requests[sent % requests.length] ?? '' };
    },
  };
}

function memberOf(body: string): Member {
  const { id, email, referral_code } = JSON.parse(body) as Member;
  return { id, email, referral_code };
}
