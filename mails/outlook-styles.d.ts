import 'react';

/** Properties that only Outlook for Windows reads. */
declare module 'react' {
  interface CSSProperties {
    msoHide?: 'all';
    msoPaddingAlt?: string;
  }
}
