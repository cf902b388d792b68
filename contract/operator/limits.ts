/** Limits of operators' calls, for schemas and forms alike. */

/** Members that one change names by their ids; a filter takes more. */
export const MAX_NAMED_MEMBERS = 300;

/** Characters of the message that visitors get while joining is paused. */
export const MAX_PAUSE_MESSAGE = 300;
