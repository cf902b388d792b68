import { setTimeout as pause } from 'node:timers/promises';
import { apiPaths } from '../../contract/paths.ts';
import { type Answer, type Connection, openConnection } from '../load/connection.ts';
import { postText } from '../load/requests.ts';

export const CLICKERS = {
  holder: 'has an open offer',
  ending: 'has an offer that ends after half a second',
  again: 'the second click of a member with an offer, up to 80 ms later, on another server',
  none: 'is on the list, has a link that is signed, and no offer',
  forged: 'the same with a changed signature',
  next: 'is offered a mask that came back meanwhile, and clicks at once',
};
export type ClickKind = keyof typeof CLICKERS;

export type Click = {
  readonly kind: ClickKind;
  /** Milliseconds from the beginning of the second. */
  readonly atMs: number;
  readonly memberId: string;
  readonly token: string;
  readonly server: number;
};

type Crowd = {
  readonly holders: readonly string[];
  readonly ending: readonly string[];
  readonly none: readonly string[];
  readonly servers: number;
  readonly sign: (memberId: string) => string;
};

const SECOND_MS = 1000;
const DOUBLE_CLICK_MS = 80;
const FORGES_EVERY = 50;

/** Holders click twice, the second time on another server. Clicks ascend by time. */
export function generateClicks({ holders, ending, none, servers, sign }: Crowd): Click[] {
  const once = (kind: ClickKind) => (memberId: string) => ({
    kind,
    atMs: Math.random() * SECOND_MS,
    memberId,
    token: sign(memberId),
    server: Math.floor(Math.random() * servers),
  });
  const first = holders.map(once('holder'));
  const again = first.map((click) => ({
    ...click,
    kind: 'again' as const,
    atMs: Math.min(SECOND_MS, click.atMs + Math.random() * DOUBLE_CLICK_MS),
    server: (click.server + 1) % servers,
  }));
  const forged = none.filter((_, index) => index % FORGES_EVERY === 0).map(once('forged'));
  const spoilt = forged.map(({ token, ...click }) => ({
    ...click,
    token: (token.startsWith('A') ? 'B' : 'A') + token.slice(1),
  }));
  const all = [...first, ...again, ...ending.map(once('ending')), ...none.map(once('none'))];
  return [...all, ...spoilt].sort((a, b) => a.atMs - b.atMs);
}

export type Reply = Pick<Click, 'kind' | 'memberId'> & {
  /** 0 when the connection was lost. */
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
};

type Pool = { readonly free: Connection[]; readonly waiting: ((one: Connection) => void)[] };

export function openSender(ports: readonly number[], connections: number) {
  const pools = ports.map(
    (port): Pool => ({
      free: Array.from({ length: connections }, () => openConnection(port)),
      waiting: [],
    }),
  );
  const replies: Reply[] = [];
  const lateMs: number[] = [];
  const unanswered = new Set<Promise<void>>();
  let beganAt = performance.now();
  const elapsed = () => performance.now() - beganAt;

  async function request(server: number, text: string): Promise<Answer> {
    const { free, waiting } = pools[server] as Pool;
    const connection =
      free.shift() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)));
    const answer = await connection
      .send(text)
      .catch((error: Error) => ({ status: 0, body: error.message }));
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
    return answer;
  }

  /** Times count from the moment at which a click was due, and so include a wait to be sent. */
  async function send({ kind, token, atMs, memberId, server }: Click): Promise<void> {
    lateMs.push(elapsed() - atMs);
    const text = requestText(apiPaths.acceptOffer, token, memberId);
    const { status, body } = await request(server, text);
    const code = /"code":"([^"]+)"/.exec(body)?.[1] ?? null;
    replies.push({ kind, memberId, status, code, ms: elapsed() - atMs });
  }

  function start(click: Click): void {
    const one = send(click).finally(() => unanswered.delete(one));
    unanswered.add(one);
  }

  return {
    async look(server: number, { token, memberId }: Click): Promise<void> {
      const { status } = await request(server, requestText(apiPaths.offer, token, memberId));
      if (status !== 200) throw new Error(`A look at an offer was answered ${status}.`);
    },
    async begin(clicks: readonly Click[]): Promise<void> {
      beganAt = performance.now();
      for (const click of clicks) {
        const waitMs = click.atMs - elapsed();
        if (waitMs > 1) await pause(waitMs);
        start(click);
      }
    },
    add(clicks: readonly Click[]): void {
      for (const click of clicks) start({ ...click, atMs: elapsed() });
    },
    async untilAnswered(): Promise<void> {
      while (unanswered.size > 0) await Promise.all(unanswered);
    },
    replies,
    lateMs,
    close() {
      for (const connection of pools.flatMap(({ free }) => free)) connection.close();
    },
  };
}

function requestText(path: string, token: string, memberId: string): string {
  const [a, b, c] = Buffer.from(memberId.slice(-6), 'hex');
  const ip = `60.${a}.${b}.${c}`;
  return postText(path, JSON.stringify({ token }), `x-forwarded-for: ${ip}\r\n`);
}
