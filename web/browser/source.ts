/** Where the visitor came from, sent with a join. Read from the page alone: nothing is stored. */
import { MAX_SOURCE_VALUE_LENGTH, SOURCE_QUERY_FIELDS } from '../../contract/sources.ts';

/** Encoded for the header; empty when neither the query nor the referrer says anything. */
export function readSource(): string {
  const query = new URLSearchParams(location.search);
  const source = new URLSearchParams();
  function add(name: string, value: string | null | undefined): void {
    if (value && value.length <= MAX_SOURCE_VALUE_LENGTH) source.set(name, value);
  }
  for (const field of SOURCE_QUERY_FIELDS) add(field, query.get(field));
  // In "https://news.example/page" the third part is the host.
  const host = document.referrer.split('/')[2];
  if (host !== location.host) add('referring_host', host);
  return String(source);
}
