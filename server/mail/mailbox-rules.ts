/**
 * Which spellings are one mailbox, by what its provider says, and which services give one person
 * many addresses. Members are distinguished by the identity: folding only counts people.
 */

type Provider = {
  /** An ending of `*` is .com and those of all countries, such as .fr, .co.uk and .com.br. */
  readonly domains: readonly string[];
  /** Stands for all domains, which share their mailboxes. Without it each has its own. */
  readonly home?: string;
  /** Cuts or unifies what makes no difference. A tag behind a plus is cut before, everywhere. */
  readonly bare?: (name: string) => string;
  /** What a label before the domain names: the mailbox, or a person with all names before the @. */
  readonly label?: 'mailbox' | 'person';
  /** Gives one person many addresses. */
  readonly hasAliases?: true;
};

const dotless = (name: string) => name.replaceAll('.', '');

/** Above each line stands the page it follows. Outlook.com has nothing but tags behind a plus. */
export const PROVIDERS: readonly Provider[] = [
  // https://support.google.com/mail/answer/10313
  { domains: ['gmail.com', 'googlemail.com'], home: 'gmail.com', bare: dotless },
  // The keyword of a disposable address follows a hyphen, which no name of an account has.
  // http://help.yahoo.com/help/uk/bt/tutorials/mail/addressguard2.html
  {
    domains: ['yahoo.*', 'ymail.com', 'rocketmail.com', 'myyahoo.com'],
    bare: (name) => name.replace(/-.*/, ''),
  },
  // Dots are hyphens: https://yandex.com/support/passport/authorization/registration.html
  // An account has its name at all domains: https://yandex.com/support/id/authorization/email.html
  {
    domains: ['yandex.*', 'ya.ru'],
    home: 'yandex.ru',
    bare: (name) => name.replaceAll('.', '-'),
  },
  // https://proton.me/support/addresses-and-aliases, and canonicalizeInternalEmail of
  // https://github.com/ProtonMail/WebClients/blob/main/packages/shared/lib/helpers/email.ts
  {
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    home: 'proton.me',
    bare: (name) => name.replace(/[._-]/g, ''),
  },
  // https://support.apple.com/118230
  { domains: ['icloud.com', 'me.com', 'mac.com'], home: 'icloud.com' },
  // https://rachan.tistory.com/6, because Daum has no page about it.
  { domains: ['daum.net', 'hanmail.net'], home: 'daum.net' },
  // http://numtime.com/zs/159413.html, because Tencent has no page about it.
  { domains: ['qq.com', 'foxmail.com'], home: 'qq.com' },
  // https://www.fastmail.help/hc/en-us/articles/360060591053
  {
    domains: `
      123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net
      allmail.net bestmail.us cluemail.com elitemail.org emailcorner.net emailengine.net
      emailengine.org emailgroups.net emailplus.org emailuser.net eml.cc f-m.fm fast-email.com
      fast-mail.org fastem.com fastemail.us fastemailer.com fastest.cc fastimap.com fastmail.cn
      fastmail.co.uk fastmail.com fastmail.com.au fastmail.de fastmail.es fastmail.fm fastmail.fr
      fastmail.im fastmail.in fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org
      fastmail.se fastmail.to fastmail.tw fastmail.uk fastmail.us fastmailbox.net
      fastmessaging.com fea.st fmail.co.uk fmailbox.com fmgirl.com fmguy.com ftml.net h-mail.us
      hailmail.net imap-mail.com imap.cc imapmail.org inoutbox.com internet-e-mail.com
      internet-mail.org internetemails.net internetmailing.net jetemail.net justemail.net
      letterboxes.org mail-central.com mail-page.com mailandftp.com mailas.com mailbolt.com
      mailc.net mailcan.com mailforce.net mailftp.com mailhaven.com mailingaddress.org mailite.com
      mailmight.com mailnew.com mailsent.net mailservice.ms mailup.net mailworks.org ml1.net mm.st
      myfastmail.com mymacmail.com nospammail.net ownmail.net petml.com postinbox.com postpro.net
      proinbox.com promessage.com realemail.net reallyfast.biz reallyfast.info rushpost.com
      sent.as sent.at sent.com speedpost.net speedymail.org ssl-mail.com swift-mail.com
      the-fastest.net the-quickest.com theinternetemail.com veryfast.biz veryspeedy.net
      warpmail.net xsmail.com yepmail.net your-mail.com`
      .trim()
      .split(/\s+/),
    label: 'mailbox',
    hasAliases: true,
  },
  // https://support.apple.com/HT210425 and https://developer.apple.com/news/?id=1ptvdtcm
  { domains: ['privaterelay.appleid.com', 'private.icloud.com'], hasAliases: true },
  // https://duckduckgo.com/email
  { domains: ['duck.com'], hasAliases: true },
  // https://simplelogin.io/docs/getting-started/restore-alias; Proton Pass has the last four.
  {
    domains: [
      ...['simplelogin.com', 'simplelogin.co', 'simplelogin.fr', 'aleeas.com', 'slmail.me'],
      ...['slmails.com', 'silomails.com', '8alias.com', '8shield.net', 'dralias.com'],
      ...['passmail.net', 'passmail.com', 'passinbox.com', 'passfwd.com'],
    ],
    label: 'person',
    hasAliases: true,
  },
  // https://support.mozilla.org/kb/general-questions-about-relay-email-domains
  { domains: ['mozmail.com'], label: 'person', hasAliases: true },
  // https://addy.io/help/what-are-the-different-kinds-of-aliases/
  { domains: ['anonaddy.com', 'anonaddy.me'], label: 'person', hasAliases: true },
];

const PROVIDER_OF = new Map(
  PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider])),
);

/** Behind the name of a company in the domain of its service for a country. */
const ENDING = /^(?:com|(?:com?\.)?[a-z]{2})$/;

/** The spelling that stands for all spellings of a mailbox. */
export function mailboxOf(identity: string): string {
  const { name, domain, provider, label } = read(identity);
  if (label !== null)
    return provider.label === 'person' ? `*@${label}.${domain}` : `${label}@${domain}`;
  const { home = domain, bare = (untagged: string) => untagged } = provider;
  return `${bare(name.replace(/(?<=.)\+.*/, '')) || name}@${home}`;
}

/** Whether a service that gives one person many addresses has it. */
export function isAlias(identity: string): boolean {
  return read(identity).provider.hasAliases ?? false;
}

/** `domain` is that of the provider, and `label` what stands before it. */
function read(identity: string) {
  const at = identity.lastIndexOf('@');
  const name = identity.slice(0, at);
  const domain = identity.slice(at + 1);
  const dot = domain.indexOf('.');
  const [label, rest] = [domain.slice(0, dot), domain.slice(dot + 1)];
  const provider =
    PROVIDER_OF.get(domain) ?? (ENDING.test(rest) ? PROVIDER_OF.get(`${label}.*`) : undefined);
  const above = provider ? undefined : PROVIDER_OF.get(rest);
  return above?.label
    ? { name, domain: rest, provider: above, label }
    : { name, domain, provider: provider ?? NO_PROVIDER, label: null };
}

const NO_PROVIDER: Omit<Provider, 'domains'> = {};
