/**
 * The score of Mozilla's HTTP Observatory for an answer over HTTPS, by its published tests and
 * modifiers (algorithm 4). Its own package brings 234 others and downloads a list on install.
 * Each rule has two outcomes: the best, and the penalty of the published rules for anything else.
 */
type Headers = Readonly<Record<string, unknown>>;

const SIX_MONTHS_SECONDS = 15_552_000;

/** 100 minus penalties. Extra credit counts only from 90 points on, as in the original. */
export function observatoryScore({
  headers,
  payload,
}: {
  headers: Headers;
  payload: string;
}): number {
  const modifiers = [
    scoreContentPolicy(headers),
    headers['set-cookie'] === undefined ? 0 : -40,
    headers['access-control-allow-origin'] === undefined ? 0 : -50,
    scoreReferrerPolicy(headers),
    scoreTransportSecurity(headers),
    scoreScripts(payload),
    headers['x-content-type-options'] === 'nosniff' ? 0 : -5,
    scoreFraming(headers),
    /^same-(origin|site)$/.test(String(headers['cross-origin-resource-policy'])) ? 10 : 0,
  ];
  const lost = modifiers
    .filter((modifier) => modifier < 0)
    .reduce((sum, modifier) => sum + modifier, 100);
  const all = modifiers.reduce((sum, modifier) => sum + modifier, 100);
  return lost >= 90 ? all : Math.max(0, lost);
}

function readPolicy(headers: Headers): ReadonlyMap<string, readonly string[]> {
  const directives = String(headers['content-security-policy'] ?? '').split(';');
  return new Map(
    directives.map((directive) => {
      const [name = '', ...sources] = directive.trim().toLowerCase().split(/\s+/);
      return [name, sources];
    }),
  );
}

function scoreContentPolicy(headers: Headers): number {
  const policy = readPolicy(headers);
  const fallback = policy.get('default-src') ?? ['*'];
  const scripts = policy.get('script-src') ?? fallback;
  const objects = policy.get('object-src') ?? fallback;
  const styles = policy.get('style-src') ?? fallback;
  const broad = /^(ftp:|http:|https:|\*|data:|blob:|'unsafe-inline'|'unsafe-eval')/;
  if ([...scripts, ...objects].some((source) => broad.test(source)))
    return policy.size > 1 ? -20 : -25;
  if ([...policy.values()].flat().some((source) => /^(http|ftp):/.test(source))) return -20;
  if (styles.some((source) => broad.test(source))) return 0;
  return fallback.join() === "'none'" ? 10 : 5;
}

function scoreReferrerPolicy(headers: Headers): number {
  const policy = headers['referrer-policy'];
  if (policy === undefined) return 0;
  return /^(no-referrer|same-origin|strict-origin|strict-origin-when-cross-origin)$/.test(
    String(policy),
  )
    ? 5
    : -5;
}

function scoreTransportSecurity(headers: Headers): number {
  const seconds = /(?:^|;)\s*max-age=(\d+)/i.exec(
    String(headers['strict-transport-security'] ?? ''),
  )?.[1];
  if (seconds === undefined) return -20;
  return Number(seconds) >= SIX_MONTHS_SECONDS ? 0 : -10;
}

/** Scripts from other origins: -5 without integrity, -50 if also unencrypted. */
function scoreScripts(html: string): number {
  const sources = [...html.matchAll(/<script[^>]*\ssrc="([^"]*)"/gi)].map(
    ([, source = '']) => source,
  );
  if (sources.some((source) => /^(http:|\/\/)/i.test(source))) return -50;
  return sources.some((source) => /^https:/i.test(source)) ? -5 : 0;
}

function scoreFraming(headers: Headers): number {
  if (readPolicy(headers).has('frame-ancestors')) return 5;
  return /^(deny|sameorigin)$/i.test(String(headers['x-frame-options'] ?? '')) ? 0 : -20;
}
