/** A proxy that can silently stop forwarding, as a broken network does: no FIN, no RST, no byte. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type Wire = { readonly near: Socket; readonly far: Socket };

/** Forwards to `port` of this machine. */
export async function openSilentNetwork(port: number) {
  const wires = new Set<Wire>();
  const forgotten = new Set<Wire>();
  let isSilent = false;

  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const wire = { near, far };
    wires.add(wire);
    carry(wire, near, far);
    carry(wire, far, near);
    if (isSilent) hush(wire);
  });

  function carry(wire: Wire, from: Socket, to: Socket): void {
    const carries = () => !isSilent && !forgotten.has(wire);
    from.on('data', (bytes) => void to.write(bytes));
    from.on('end', () => carries() && to.end());
    from.on('error', () => carries() && to.destroy());
    from.on('close', () => {
      if (!carries()) return;
      to.destroy();
      wires.delete(wire);
    });
  }

  /** Data waits, as it does in an operating system that retransmits. */
  function hush({ near, far }: Wire): void {
    near.pause();
    far.pause();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Forwards nothing from now on; new connections open and stay silent too. */
    silence() {
      isSilent = true;
      for (const wire of wires) hush(wire);
    },
    /** Forwards again. With `forgetting`, as a restarted router does, old ones stay silent. */
    restore({ forgetting } = { forgetting: false }) {
      isSilent = false;
      for (const wire of wires) {
        if (forgetting) forgotten.add(wire);
        if (forgotten.has(wire)) continue;
        wire.near.resume();
        wire.far.resume();
      }
    },
    close() {
      server.close();
      for (const { near, far } of wires) {
        near.destroy();
        far.destroy();
      }
    },
  };
}
