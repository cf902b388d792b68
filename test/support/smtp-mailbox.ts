/** A real SMTP server, whose reactions a test chooses. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';

export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, unchanged. */
  readonly raw: string;
  readonly isSecure: boolean;
};

export type Moment = 'connect' | 'login' | 'sender' | 'recipient' | 'data' | 'received';

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Returns undefined to go on, an SMTP code or a whole answer to refuse, or a promise to delay. */
export type Reaction = (moment: Moment, address: string) => Answer | Promise<Answer>;

type Answer = number | string | undefined;

const PATIENCE_MS = 60_000;

export async function startMailbox(
  options: SMTPServerOptions & {
    react?: Reaction;
    port?: number;
    /** Its URL has a name and password, which it asks for without TLS. */
    hasLogin?: boolean;
  } = {},
) {
  const { react = () => undefined, port = 0, hasLogin = false, ...own } = options;
  const mails: ReceivedMail[] = [];
  const isThere = async (moment: Moment, address: string) => {
    const answer = await react(moment, address);
    if (answer === undefined) return null;
    // Real servers put the address into the text.
    const text = typeof answer === 'string' ? answer.slice(4) : `<${address}> not now`;
    return Object.assign(new Error(text), { responseCode: Number.parseInt(String(answer), 10) });
  };
  async function takeOver(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<Error | null> {
    const { mailFrom, rcptTo } = session.envelope;
    const to = rcptTo.map(({ address }) => address);
    const early = isThere('data', to[0] ?? '');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const refusal = await early;
    if (refusal) return refusal;
    const raw = Buffer.concat(chunks).toString('utf8');
    mails.push({ from: mailFrom ? mailFrom.address : '', to, raw, isSecure: session.secure });
    // Accepted, but not acknowledged yet.
    return await isThere('received', to[0] ?? '');
  }
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: [...(hasLogin ? [] : ['AUTH']), ...(own.key ? [] : ['STARTTLS'])],
    logger: false,
    closeTimeout: 100,
    onAuth: ({ username = '' }, _session, done) =>
      void isThere('login', username).then((refusal) => done(refusal, { user: username })),
    ...own,
    onConnect: (_session, done) => void isThere('connect', '').then(done),
    onMailFrom: ({ address }, _session, done) => void isThere('sender', address).then(done),
    onRcptTo: ({ address }, _session, done) => void isThere('recipient', address).then(done),
    onData: (stream, session, done) => void takeOver(stream, session).then(done, done),
  });
  server.on('error', () => {}); // A client was killed mid-conversation.
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const bound = (server.server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `smtp://${hasLogin ? 'name:secret@' : ''}127.0.0.1:${bound}`,
    /** Accepted mails. */
    mails: mails as readonly ReceivedMail[],
    /** Resolves when `count` mails have arrived; rejects after a minute. */
    async waitFor(count: number): Promise<readonly ReceivedMail[]> {
      const deadline = Date.now() + PATIENCE_MS;
      while (mails.length < count) {
        if (Date.now() > deadline) throw new Error(`${mails.length} of ${count} mails have come.`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return mails;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export function headerOf({ raw }: Pick<ReceivedMail, 'raw'>, name: string): string {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
}
