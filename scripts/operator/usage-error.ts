/** Wrong words or options, as opposed to something the server turned down. */
export class UsageError extends Error {}
