export const SOURCE_QUERY_FIELDS = ['utm_source', 'utm_medium', 'utm_campaign', 'via'] as const;

export const SOURCE_FIELDS = [...SOURCE_QUERY_FIELDS, 'referring_host'] as const;

export type SourceField = (typeof SOURCE_FIELDS)[number];

/** The `utm_source` of all that could not be told apart: no link has it. */
export const OTHER_SOURCES = '(other)';

export const MAX_SOURCE_VALUE_LENGTH = 64;

/** A request header with any of the fields, encoded like the query of a URL. */
export const SOURCE_HEADER = 'waitlist-source';
