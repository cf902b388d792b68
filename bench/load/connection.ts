/** The client shares the processors with the server: docs/decisions/0029-bench-tools.md. */
import { connect } from 'node:net';

export type Answer = { readonly status: number; readonly body: string };

export type Connection = ReturnType<typeof openConnection>;

export function openConnection(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  let pending: PromiseWithResolvers<Answer> | null = null;
  const fail = (error: Error) => pending?.reject(error);
  socket.setEncoding('latin1'); // One character is one byte.
  socket.on('data', (chunk: string) => {
    received = received === '' ? chunk : received + chunk;
    const answer = parseAnswer(received);
    if (answer === null) return;
    received = '';
    pending?.resolve(answer);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('connection closed')));
  return {
    /** The first call includes the time to connect. Rejects when the connection is lost. */
    send(request: string): Promise<Answer> {
      if (socket.destroyed) return Promise.reject(new Error('connection closed'));
      pending = Promise.withResolvers();
      socket.write(request);
      return pending.promise;
    },
    close: () => socket.destroy(),
  };
}

/** Reads answers with a length and chunked ones; null while bytes are missing. */
export function parseAnswer(text: string): Answer | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = text.slice(0, headEnd);
  const bodyStart = headEnd + 4;
  const status = Number(text.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const bodyEnd = bodyStart + Number(length);
    return text.length < bodyEnd ? null : { status, body: text.slice(bodyStart, bodyEnd) };
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head))
    return text.endsWith('0\r\n\r\n') ? { status, body: text.slice(bodyStart) } : null;
  return { status, body: '' };
}
