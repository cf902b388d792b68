import { pagePaths } from '../contract/paths.ts';

export type PageName = 'landing' | 'status' | 'invite' | 'not-found';

export type Route = { readonly page: PageName; readonly param: string };

const NOT_FOUND: Route = { page: 'not-found', param: '' };

const personalPages = [
  { page: 'status', pattern: pagePaths.status },
  { page: 'invite', pattern: pagePaths.invite },
] as const;

export function readRoute(path: string): Route {
  if (path === pagePaths.landing) return { page: 'landing', param: '' };
  for (const { page, pattern } of personalPages) {
    const prefix = pattern.slice(0, pattern.indexOf(':'));
    const param = path.startsWith(prefix) ? decodeSegment(path.slice(prefix.length)) : '';
    if (param !== '') return { page, param };
  }
  return NOT_FOUND;
}

/** A segment that cannot be decoded is no code or id, but its page says so. */
function decodeSegment(segment: string): string {
  if (segment.includes('/')) return '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
