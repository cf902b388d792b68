/** In the order of the keys that are stored. */
export const SOURCE_FIELDS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'referring_host',
  'via',
] as const;

export type SourceField = (typeof SOURCE_FIELDS)[number];

export const SOURCE_QUERY_FIELDS = SOURCE_FIELDS.filter((field) => field !== 'referring_host');

/** The `utm_source` of all that could not be told apart: no link has it. */
export const OTHER_SOURCES = '(other)';

export const MAX_SOURCE_VALUE_LENGTH = 64;

/** A request header with any of the fields, encoded like the query of a URL. */
export const SOURCE_HEADER = 'waitlist-source';
