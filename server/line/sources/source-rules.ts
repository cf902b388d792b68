/** Where a visitor came from, read from what browsers and links say: never a reason to refuse. */
import {
  MAX_SOURCE_VALUE_LENGTH,
  OTHER_SOURCES,
  SOURCE_FIELDS,
  type SourceField,
} from '../../../contract/sources.ts';

export type Source = Readonly<Record<SourceField, string>>;

export const SOURCELESS = Object.fromEntries(SOURCE_FIELDS.map((field) => [field, ''])) as Source;

const MAX_HEADER_LENGTH = 4_096;
/** No "@": an address is no name of a campaign. No markup, no beginning of a formula. */
const VALUE = /^[^\p{C}<>@=+-][^\p{C}<>@]*$/u;
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;

export function sourceKey(source: Source): string {
  return SOURCE_FIELDS.map((field) => source[field])
    .join('\n')
    .toLowerCase();
}

/** Leaves out long values, characters that cannot be kept, and the site's own host. */
export function readSource(parameters: URLSearchParams, ownHost: string): Source | null {
  const entries = SOURCE_FIELDS.map((field) => {
    const value = (parameters.get(field) ?? '').normalize('NFC').replace(/\s+/g, ' ').trim();
    const isHost = field === 'referring_host';
    return [field, isHost ? readHost(value.toLowerCase(), ownHost) : readValue(value)];
  });
  const source = Object.fromEntries(entries) as Source;
  return SOURCE_FIELDS.some((field) => source[field] !== '') ? source : null;
}

export function readSourceHeader(
  header: string | readonly string[] | undefined,
  ownHost: string,
): Source | null {
  if (typeof header !== 'string' || header.length > MAX_HEADER_LENGTH) return null;
  return readSource(new URLSearchParams(header), ownHost);
}

export function readPageSource(
  { url, referer }: { readonly url: string; readonly referer?: string | undefined },
  ownHost: string,
): Source | null {
  const parameters = new URLSearchParams(url.split('?')[1] ?? '');
  parameters.delete('referring_host');
  if (referer !== undefined && URL.canParse(referer))
    parameters.set('referring_host', new URL(referer).host);
  return readSource(parameters, ownHost);
}

function readValue(value: string): string {
  const isKept = VALUE.test(value) && value.toLowerCase() !== OTHER_SOURCES;
  return isKept && value.length <= MAX_SOURCE_VALUE_LENGTH ? value : '';
}

function readHost(value: string, ownHost: string): string {
  const host = value.replace(/:\d+$/, '');
  if (host.length > MAX_SOURCE_VALUE_LENGTH || !HOST.test(host)) return '';
  return value === ownHost.toLowerCase() ? '' : host.replace(/^www\./, '');
}
