/** Names of honest crawlers, link previews, monitors and scripts. */
const BOT = new RegExp(
  [
    ...[String.raw`(?<!cu)bot\b`, 'crawl', 'spider', 'slurp', 'preview', 'fetch', 'scan'],
    ...['monitor', 'headless', 'lighthouse', 'facebookexternalhit', 'https?://'],
  ].join('|'),
  'i',
);

type PageRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** False for HEAD, prefetches, frames, and clients that are or say they are no browser. */
export function isVisit({ method, headers }: PageRequest): boolean {
  const agent = String(headers['user-agent']);
  const purpose = `${headers['sec-purpose']} ${headers.purpose} ${headers['x-moz']}`;
  const destination = headers['sec-fetch-dest'] ?? 'document'; // absent in old browsers
  return (
    method === 'GET' &&
    agent.startsWith('Mozilla/') &&
    !BOT.test(agent) &&
    !/prefetch|prerender|preview/.test(purpose) &&
    destination === 'document'
  );
}
