/** Reads an event stream as a browser does. */

export type EventStream = Awaited<ReturnType<typeof openEventStream>>;

export async function openEventStream(url: string, headers: Readonly<Record<string, string>> = {}) {
  const closing = new AbortController();
  const response = await fetch(url, { headers, signal: closing.signal });
  const messages = readMessages(response.body);
  return {
    status: response.status,
    /** The data of the next message; null at the end. Rejects when none comes for 20 seconds. */
    async next(): Promise<string | null> {
      const late = AbortSignal.timeout(20_000);
      const { value } = await Promise.race([
        messages.next(),
        new Promise<never>((_resolve, reject) => {
          late.addEventListener('abort', () => reject(new Error('no message came')));
        }),
      ]);
      return value ?? null;
    },
    close: () => closing.abort(),
  };
}

async function* readMessages(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<string, undefined> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body) {
    text += decoder.decode(part, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^data: (.+)$/m.exec(event) ?? [];
      if (data !== undefined) yield data;
    }
  }
}
