type Invite = { readonly title: string; readonly text: string; readonly url: string };

/** In the order of the page. `via` names the channel in the operator's figures. */
const CHANNELS = [
  { name: 'WhatsApp', via: 'whatsapp' },
  { name: 'Telegram', via: 'telegram' },
  { name: 'X', via: 'x' },
  { name: 'Facebook', via: 'facebook' },
  { name: 'SMS', via: 'sms' },
  { name: 'E-mail', via: 'email' },
] as const;

type Via = (typeof CHANNELS)[number]['via'];

const HREFS: Readonly<Record<Via, (invite: Invite) => string>> = {
  whatsapp: ({ text, url }) => `https://wa.me/?text=${encode(`${text} ${url}`)}`,
  telegram: ({ text, url }) => `https://t.me/share/url?url=${encode(url)}&text=${encode(text)}`,
  x: ({ text, url }) => `https://x.com/intent/post?text=${encode(text)}&url=${encode(url)}`,
  // Facebook accepts no text: it shows the card of the link.
  facebook: ({ url }) => `https://www.facebook.com/sharer/sharer.php?u=${encode(url)}`,
  // iOS expects the "&" and Android the "?"; both accept this form.
  sms: ({ text, url }) => `sms:?&body=${encode(`${text} ${url}`)}`,
  email: ({ title, text, url }) =>
    `mailto:?subject=${encode(title)}&body=${encode(`${text}\n\n${url}`)}`,
};

export function listChannels(invite: Invite): readonly { name: string; href: string }[] {
  return CHANNELS.map(({ name, via }) => ({
    name,
    href: HREFS[via]({ ...invite, url: `${invite.url}?via=${via}` }),
  }));
}

const encode = encodeURIComponent;
