/** One address that forwards to the current primary, as a managed service's does. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type PrimaryFront = {
  readonly port: number;
  /** Breaks all connections. */
  drop(): void;
  close(): void;
};

/** Calls `portNow` for each new connection. */
export async function openPrimaryFront(portNow: () => number): Promise<PrimaryFront> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(portNow(), '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      // The close that follows tells the other end.
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        (socket === near ? far : near).destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  function drop(): void {
    for (const socket of sockets) socket.destroy();
  }
  return {
    port: (server.address() as AddressInfo).port,
    drop,
    close() {
      server.close();
      drop();
    },
  };
}
