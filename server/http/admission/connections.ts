import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { FULL, type Refusal, rawRefusal, tooManyFromHere } from './refusals.ts';

/** Each takes about 10 KB. Half of them may be live status pages. */
export const MAX_CONNECTIONS = 20_000;
/** 200 people behind one address, each with six connections. */
export const MAX_CONNECTIONS_PER_ADDRESS = 1_200;

/** Refused connections that wait for their client to read the answer. Further ones are cut. */
const MAX_REFUSED = 1_000;
const REFUSED_OPEN_MS = 1_000;
const RETRY_AFTER_SECONDS = 2;

export type Peer = {
  readonly isProxy: boolean;
  /** Null for a trusted proxy, or a peer without a limit of its own. */
  readonly key: string | null;
};

type ConnectionOptions = {
  identify(address: string): Peer;
  count(key: string): number;
  onAccept(): void;
  onRefuse(refusal: Refusal): void;
  readonly maxConnections: number;
};

type Connection = {
  readonly socket: Socket;
  readonly peer: Peer;
  readonly requests: Set<() => void>;
};

type Group = { open: number; readonly idle: Set<Socket> };
const EMPTY: Readonly<Group> = { open: 0, idle: new Set() };

/** Node's own listener, which must be there already, gets only connections that are let in. */
export function limitConnections(server: Server, options: ConnectionOptions) {
  const { identify, count, onAccept, onRefuse, maxConnections } = options;
  const connections = new Map<Socket, Connection>();
  const idle = new Set<Socket>();
  const groups = new Map<string, Group>();
  server.maxConnections = maxConnections + MAX_REFUSED;

  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined) return void socket.destroy();
    // Node forgets the address when the socket closes, and requests outlive it.
    Object.defineProperty(socket, 'remoteAddress', { value: address });
    const peer = identify(address);
    const refusal = reasonToRefuse(peer);
    if (refusal !== null) {
      onRefuse(refusal);
      refuse(socket, refusal);
      return;
    }
    add({ socket, peer, requests: new Set() });
    onAccept();
    for (const listener of listeners) listener.call(server, socket);
  });

  function reasonToRefuse({ key }: Peer): Refusal | null {
    if (key !== null) {
      const seconds = count(key);
      if (seconds > 0) return tooManyFromHere(seconds);
      const { open, idle: own } = groups.get(key) ?? EMPTY;
      if (open >= MAX_CONNECTIONS_PER_ADDRESS && !closeLongestIdle(own))
        return tooManyFromHere(RETRY_AFTER_SECONDS);
    }
    return connections.size < maxConnections || closeLongestIdle(idle) ? null : FULL;
  }

  function closeLongestIdle(sockets: ReadonlySet<Socket>): boolean {
    const [socket] = sockets;
    if (socket === undefined) return false;
    remove(socket);
    socket.destroy();
    return true;
  }

  function add(connection: Connection): void {
    const { socket, peer } = connection;
    connections.set(socket, connection);
    if (peer.key !== null) {
      const group = groups.get(peer.key) ?? { open: 0, idle: new Set() };
      group.open += 1;
      groups.set(peer.key, group);
    }
    markIdle(connection);
    socket.once('close', () => remove(socket));
  }

  function remove(socket: Socket): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    markBusy(connection);
    connections.delete(socket);
    const { key } = connection.peer;
    const group = groupOf(connection);
    if (key !== null && group !== undefined) {
      group.open -= 1;
      if (group.open === 0) groups.delete(key);
    }
    for (const end of connection.requests) end();
  }

  function markIdle(connection: Connection): void {
    idle.add(connection.socket);
    groupOf(connection)?.idle.add(connection.socket);
  }

  function markBusy(connection: Connection): void {
    idle.delete(connection.socket);
    groupOf(connection)?.idle.delete(connection.socket);
  }

  function groupOf({ peer: { key } }: Connection): Group | undefined {
    return key === null ? undefined : groups.get(key);
  }

  return {
    /** Calls `onOver` once, when response or connection ends. Null for a closed connection. */
    follow(socket: Socket, response: ServerResponse, onOver: () => void): Peer | null {
      const connection = connections.get(socket);
      if (connection === undefined) return null;
      const { requests } = connection;
      const end = () => {
        if (!requests.delete(end)) return;
        if (requests.size === 0 && connections.has(socket)) markIdle(connection);
        onOver();
      };
      if (requests.size === 0) markBusy(connection);
      requests.add(end);
      // Only the first of pipelined requests has a response that learns of a closed socket.
      response.once('close', end);
      return connection.peer;
    },
  };
}

/** The answer to an unread request would be lost in the reset of a connection closed at once. */
function refuse(socket: Socket, refusal: Refusal): void {
  const timer = setTimeout(() => socket.destroy(), REFUSED_OPEN_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.resume();
  socket.end(rawRefusal(refusal));
}
