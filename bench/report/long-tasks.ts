/** What kept a page's main thread busy, from Lighthouse's audit `long-tasks`. Pure. */
import { median } from '../statistics.ts';
import { table, whole } from './markdown.ts';

/** Tasks of more than 50 ms on the simulated phone, those before the first paint too. */
export type LongTask = {
  /** What ran, in words. */
  readonly work: string;
  readonly ms: number;
};

/** What Lighthouse calls tasks that no script or document has caused. */
const OF_THE_BROWSER = 'Unattributable';

/** `details` of the audit. Hashes of assets are left out, so that builds can be compared. */
export function readLongTasks(details: unknown, pageUrl: string): readonly LongTask[] {
  const { items = [] } = (details ?? {}) as { items?: { url: string; duration: number }[] };
  return items.map(({ url, duration }) => ({ work: nameWork(url, pageUrl), ms: duration }));
}

/** Markdown; `runs` are those of one page. */
export function tableOfLongTasks(
  pages: readonly { readonly name: string; readonly runs: readonly (readonly LongTask[])[] }[],
): string {
  const rows = pages.flatMap(({ name, runs }) => {
    const tasks = runs.flat();
    return [...new Set(tasks.map(({ work }) => work))].sort().map((work) => {
      const ms = tasks.filter((task) => task.work === work).map((task) => task.ms);
      return [name, work, (ms.length / runs.length).toFixed(1), whole(median(ms))];
    });
  });
  return table(['page', 'work', 'tasks a visit', 'median ms'], rows);
}

function nameWork(url: string, pageUrl: string): string {
  if (url === OF_THE_BROWSER) return 'the browser';
  if (url === pageUrl) return 'the document: parsing, inline script, layout';
  return `script ${url.replace(/^.*\//, '').replace(/-[\w-]{8}\.js$/, '')}`;
}
