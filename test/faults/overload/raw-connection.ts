/** A connection that sends prepared bytes and reads answers, with minimal work. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * How a connection closed: given up before its request was sent, before the first byte of an answer
 * that was due, or within it.
 */
export type Break = 'none' | 'unsent' | 'unanswered' | 'half';

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

/** Half the time that a server or proxy waits for the first request. */
const MAX_IDLE_MS = 5_000;

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
  private received: Buffer[] = [];
  /** How many bytes are missing before they need to be looked at again. */
  private missing = 0;
  /** How it breaks if it closes now, before any byte of an answer. */
  private breakNow: Exclude<Break, 'half'> = 'none';

  constructor({ port, from = '127.0.0.1', listener }: RawConnectionOptions) {
    this.socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
    this.opened = once(this.socket, 'connect').catch(() => {}); // Followed by 'close'.
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk) => this.read(chunk, listener));
    this.socket.on('close', () => {
      this.isClosing = true;
      listener.closed(this, this.received.length > 0 ? 'half' : this.breakNow);
    });
  }

  /** Its server may be closing it just now: as browsers do, nobody sends a request on it. */
  get isStale(): boolean {
    return performance.now() - this.idleSince > MAX_IDLE_MS;
  }

  /** A starved client learns late that it is connected, and gives up a connection that is stale. */
  send(request: string): void {
    this.breakNow = 'unanswered';
    const write = () => this.socket.write(request, 'latin1');
    if (!this.socket.connecting) write();
    else
      this.socket.once('connect', () => {
        if (!this.isStale) return void write();
        this.breakNow = 'unsent';
        this.socket.destroy();
      });
  }

  end(): void {
    this.breakNow = 'none';
    this.received = [];
    this.socket.destroy();
  }

  private read(chunk: Buffer, listener: Listener): void {
    this.received.push(chunk);
    this.missing -= chunk.length;
    if (this.missing > 0) return;
    const answer = readWhole(Buffer.concat(this.received));
    this.missing = typeof answer === 'number' ? answer : 0;
    if (typeof answer === 'number') return;
    this.received = [];
    this.breakNow = 'none';
    this.idleSince = performance.now();
    this.isClosing ||= answer.has('onnection: close');
    listener.answered(answer, this);
  }
}

/** While it is incomplete, the number of bytes that are missing: 1 as long as nobody can say. */
function readWhole(bytes: Buffer): RawAnswer | number {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return 1;
  const lengthAt = bytes.indexOf('ontent-length: ');
  const length =
    lengthAt < 0 ? 0 : Number.parseInt(bytes.toString('latin1', lengthAt + 15, lengthAt + 23), 10);
  const missing = headEnd + 4 + length - bytes.length;
  return missing > 0 ? missing : new RawAnswer(bytes, headEnd + 4);
}
