/** The build compiles for these browsers; older ones get the pages without script. */
export const OLDEST_BROWSERS = {
  chrome: '108',
  edge: '108',
  firefox: '110',
  safari: '16.4',
  ios: '16.4',
} as const;

export const APP_TARGET = Object.entries(OLDEST_BROWSERS).map(
  ([browser, version]) => `${browser}${version}`,
);

/** The inline script must run in older browsers too, because it tells them apart. */
export const STARTER_TARGET = 'es2015';
