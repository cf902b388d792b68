/** Tells the open status pages when their member moves: docs/decisions/0120-live-status.md. */
import { randomUUID } from 'node:crypto';
import type { Member } from '../../../contract/schemas.ts';
import type { Database } from '../../db/database.ts';
import { repeat } from '../../db/scheduled-work.ts';
import { Problem } from '../../problem.ts';
import { addPages, forgetServer, noteServer, removePages } from './live-store.ts';

export type LiveStatus = {
  /**
   * Calls `onStatus` once soon, since the member may have moved while the page loaded, and again
   * after each of their moves; with null once nobody in line has the id. Takes an id as it is
   * kept. Returns a function that ends this.
   */
  watch(memberId: string, onStatus: Listener): () => void;
  close(): Promise<void>;
};

type Listener = (member: Member | null) => void;

type LiveOptions = {
  readonly database: Database;
  readonly getStatus: (memberId: string) => Promise<Member>;
  /** The database failed; it is asked again, and pages go on with their own refresh. */
  readonly onFailure: (error: unknown) => void;
};

/** The pages of one member. */
type Page = {
  readonly listeners: Set<Listener>;
  /** While the status is read or was just sent: whether they have moved again since. */
  again: boolean | null;
};

/** Pages are entered together. */
const ENTER_EVERY_MS = 200;
const NOTE_EVERY_MS = 30_000;
/** A member whose friends come in a crowd is told the sum. */
const SENT_EVERY_MS = 500;
const CHANNEL = 'standing_moved';

export async function openLiveStatus({
  database,
  getStatus,
  onFailure,
}: LiveOptions): Promise<LiveStatus> {
  const serverId = randomUUID();
  const pages = new Map<string, Page>();
  /** Members whose pages were opened, or closed, since the last turn. */
  let changed = new Set<string>();
  const entered = new Set<string>();
  /** Whether the database knows this server, and its pages but for those that changed. */
  let isEntered = false;

  function tell(memberId: string): void {
    const page = pages.get(memberId);
    if (page === undefined) return;
    if (page.again !== null) {
      page.again = true;
      return;
    }
    page.again = false;
    getStatus(memberId)
      .catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'unknown_member') return null;
        throw error;
      })
      .then((member) => {
        for (const listener of page.listeners) listener(member);
      })
      .catch(onFailure)
      .finally(() => setTimeout(endTurn, SENT_EVERY_MS, memberId, page).unref());
  }

  function endTurn(memberId: string, page: Page): void {
    const hasMoved = page.again === true;
    page.again = null;
    if (hasMoved && pages.get(memberId) === page) tell(memberId);
  }

  async function enterPages(): Promise<void> {
    if (!isEntered) await enterAnew();
    if (changed.size === 0) return;
    const ids = [...changed];
    changed = new Set();
    const opened = ids.filter((id) => pages.has(id) && !entered.has(id));
    const closed = ids.filter((id) => !pages.has(id) && entered.has(id));
    try {
      if (opened.length > 0) await addPages(database, serverId, opened);
      if (closed.length > 0) await removePages(database, serverId, closed);
    } catch (error) {
      for (const id of ids) changed.add(id);
      isEntered = false;
      throw error;
    }
    for (const id of opened) entered.add(id);
    for (const id of closed) entered.delete(id);
    for (const id of ids) tell(id);
  }

  async function enterAnew(): Promise<void> {
    isEntered = true;
    try {
      await forgetServer(database, serverId);
      await noteServer(database, serverId);
    } catch (error) {
      isEntered = false;
      throw error;
    }
    entered.clear();
    for (const id of pages.keys()) changed.add(id);
  }

  /** A crash of the database empties the tables. */
  async function note(): Promise<void> {
    if (await noteServer(database, serverId)) isEntered = false;
  }

  const stopListening = await database.listen(CHANNEL, {
    onMessage(payload) {
      for (const id of payload.split(',')) tell(id);
    },
    onReady() {
      isEntered = false;
    },
  });
  const works = [
    { name: 'entering open pages', everyMs: ENTER_EVERY_MS, run: enterPages },
    { name: 'noting the server', everyMs: NOTE_EVERY_MS, run: note },
  ];
  const stops = works.map((work) => repeat(work, (_name, error) => onFailure(error)));

  return {
    watch(memberId, onStatus) {
      const page = pages.get(memberId) ?? { listeners: new Set(), again: null };
      pages.set(memberId, page);
      page.listeners.add(onStatus);
      changed.add(memberId);
      return () => {
        page.listeners.delete(onStatus);
        if (page.listeners.size > 0 || pages.get(memberId) !== page) return;
        pages.delete(memberId);
        changed.add(memberId);
      };
    },
    async close() {
      for (const stop of stops) await stop();
      await stopListening();
      await forgetServer(database, serverId).catch(onFailure);
    },
  };
}
