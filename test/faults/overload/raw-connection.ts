/** A connection that sends prepared bytes and reads answers, with minimal work. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How a connection closed: before the first byte of an answer that was due, or within it. */
export type Break = 'none' | 'unanswered' | 'half';

type Listener = {
  /** The connection can be used again, unless it is closing. */
  answered(answer: RawAnswer, connection: RawConnection): void;
  closed(connection: RawConnection, end: Break): void;
};

type RawConnectionOptions = {
  readonly port: number;
  /** The address that it comes from. */
  readonly from?: string | undefined;
  readonly listener: Listener;
};

/** Parsed lazily. */
export class RawAnswer {
  private readonly bytes: Buffer;
  private readonly bodyStart: number;

  constructor(bytes: Buffer, bodyStart: number) {
    this.bytes = bytes;
    this.bodyStart = bodyStart;
  }

  get status(): number {
    return Number(this.bytes.toString('latin1', 9, 12));
  }

  get body(): string {
    return this.bytes.toString('utf8', this.bodyStart);
  }

  /** Whether its head contains the text. Case-sensitive. */
  has(text: string): boolean {
    const at = this.bytes.indexOf(text);
    return at >= 0 && at < this.bodyStart;
  }
}

export class RawConnection {
  /** Whether the server announced that it closes the connection. */
  isClosing = false;
  /** When it was opened, or its last answer came: as `performance.now()` counts. */
  idleSince = performance.now();
  readonly opened: Promise<unknown>;
  private readonly socket: Socket;
  private received: Buffer | null = null;
  private isWaiting = false;

  constructor({ port, from = '127.0.0.1', listener }: RawConnectionOptions) {
    this.socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
    this.opened = once(this.socket, 'connect').catch(() => {}); // Followed by 'close'.
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk) => this.read(chunk, listener));
    this.socket.on('close', () => {
      this.isClosing = true;
      listener.closed(
        this,
        this.received !== null ? 'half' : this.isWaiting ? 'unanswered' : 'none',
      );
    });
  }

  send(request: string): void {
    this.isWaiting = true;
    this.socket.write(request, 'latin1');
  }

  end(): void {
    this.isWaiting = false;
    this.received = null;
    this.socket.destroy();
  }

  private read(chunk: Buffer, listener: Listener): void {
    const all = this.received === null ? chunk : Buffer.concat([this.received, chunk]);
    const answer = readWhole(all);
    this.received = answer === null ? all : null;
    if (answer === null) return;
    this.isWaiting = false;
    this.idleSince = performance.now();
    this.isClosing ||= answer.has('onnection: close');
    listener.answered(answer, this);
  }
}

/** null while it is incomplete. */
function readWhole(bytes: Buffer): RawAnswer | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const lengthAt = bytes.indexOf('ontent-length: ');
  const length =
    lengthAt < 0 ? 0 : Number.parseInt(bytes.toString('latin1', lengthAt + 15, lengthAt + 23), 10);
  return bytes.length < headEnd + 4 + length ? null : new RawAnswer(bytes, headEnd + 4);
}
