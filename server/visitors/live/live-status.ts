/** Notifies open status pages when their member moves: docs/decisions/0120-live-status.md. */
import { randomUUID } from 'node:crypto';
import type { Member } from '../../../contract/schemas.ts';
import type { Database } from '../../db/database.ts';
import { repeat } from '../../db/scheduled-work.ts';
import { Problem } from '../../problem.ts';
import { addPages, forgetServer, noteServer, removePages } from './live-store.ts';

type Listener = (member: Member | null) => void;

type LiveOptions = {
  readonly database: Database;
  readonly getStatus: (memberId: string) => Promise<Member>;
  readonly onFailure: (error: unknown) => void;
};

/** Milliseconds between two batches of opened pages and moves: each batch costs a query. */
const BATCH_MS = 200;
const NOTE_EVERY_MS = 30_000;
const CHANNEL = 'standing_moved';

/** While the database is away, pages go on with their own refresh. */
export async function openLiveStatus({ database, getStatus, onFailure }: LiveOptions) {
  const serverId = randomUUID();
  const pages = new Map<string, Set<Listener>>();
  let changed = new Set<string>();
  let moved = new Set<string>();
  const registered = new Set<string>();
  /** Whether the database has this server, and its pages except the changed ones. */
  let isRegistered = false;

  async function runBatch(): Promise<void> {
    await registerPages();
    const ids = [...moved];
    moved = new Set();
    await Promise.all(ids.map(notify));
  }

  async function notify(memberId: string): Promise<void> {
    const member = await getStatus(memberId).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'unknown_member') return null;
      moved.add(memberId);
      throw error;
    });
    for (const listener of pages.get(memberId) ?? []) listener(member);
  }

  async function registerPages(): Promise<void> {
    if (!isRegistered) await registerAll();
    if (changed.size === 0) return;
    const ids = [...changed];
    changed = new Set();
    const opened = ids.filter((id) => pages.has(id) && !registered.has(id));
    const closed = ids.filter((id) => !pages.has(id) && registered.has(id));
    try {
      if (opened.length > 0) await addPages(database, serverId, opened);
      if (closed.length > 0) await removePages(database, serverId, closed);
    } catch (error) {
      for (const id of ids) changed.add(id);
      isRegistered = false;
      throw error;
    }
    for (const id of opened) registered.add(id);
    for (const id of closed) registered.delete(id);
    for (const id of ids) if (pages.has(id)) moved.add(id);
  }

  async function registerAll(): Promise<void> {
    isRegistered = true;
    try {
      await forgetServer(database, serverId);
      await noteServer(database, serverId);
    } catch (error) {
      isRegistered = false;
      throw error;
    }
    registered.clear();
    for (const id of pages.keys()) changed.add(id);
  }

  /** A crash of the database empties the tables. */
  async function note(): Promise<void> {
    if (await noteServer(database, serverId)) isRegistered = false;
  }

  const stopListening = await database.listen(CHANNEL, {
    onMessage(payload) {
      for (const id of payload.split(',')) if (pages.has(id)) moved.add(id);
    },
    onReady() {
      isRegistered = false;
    },
  });
  const work = [
    { name: 'notifying open pages', everyMs: BATCH_MS, run: runBatch },
    { name: 'noting the server', everyMs: NOTE_EVERY_MS, run: note },
  ];
  const stopWork = repeat(work, (_name, error) => onFailure(error));

  return {
    /** Null once nobody in line has the id. Returns a function that ends this. */
    watch(memberId: string, onStatus: Listener): () => void {
      const listeners = pages.get(memberId) ?? new Set();
      pages.set(memberId, listeners);
      listeners.add(onStatus);
      changed.add(memberId);
      return () => {
        listeners.delete(onStatus);
        if (listeners.size > 0 || pages.get(memberId) !== listeners) return;
        pages.delete(memberId);
        changed.add(memberId);
      };
    },
    async close(): Promise<void> {
      await stopWork();
      await stopListening()
        .then(() => forgetServer(database, serverId))
        .catch(onFailure);
    },
  };
}
