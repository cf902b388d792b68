/** The names that RFC 2606 and RFC 6761 keep for examples and tests: no site or mailbox has one. */
const RESERVED =
  /(?:^|[@.])(?:example|example\.(?:com|net|org)|test|invalid|localhost)\.?(?::\d+)?$/i;

export function isExampleLink(link: string): boolean {
  const [, host = ''] = /^\w+:(?:\/\/)?([^/?#]*)/.exec(link) ?? [];
  return RESERVED.test(host);
}
