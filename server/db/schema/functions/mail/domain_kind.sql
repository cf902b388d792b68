-- What a mailbox of a domain costs whoever opens it. 'costly': the provider asks everybody for a
-- phone number or money, as seen in November 2026; Microsoft, Proton, Tuta, mail.com and others
-- that ask only some are not listed. 'hosted': a hoster charges for each mailbox, but a catch-all
-- is free. 'open': everything else. A table function: the planner inlines no scalar with a look-up.
create or replace function domain_kind(asked text) returns table (kind text)
language sql stable as $$
  select case when asked = any(array[
    -- A phone number.
    'gmail.com', 'googlemail.com',
    'icloud.com', 'me.com', 'mac.com',
    'yahoo.com', 'ymail.com', 'rocketmail.com', 'myyahoo.com', 'yahoo.ca', 'yahoo.co.id',
    'yahoo.co.in', 'yahoo.co.nz', 'yahoo.co.th', 'yahoo.co.uk', 'yahoo.co.za', 'yahoo.com.ar',
    'yahoo.com.au', 'yahoo.com.br', 'yahoo.com.hk', 'yahoo.com.mx', 'yahoo.com.my', 'yahoo.com.ph',
    'yahoo.com.sg', 'yahoo.com.tr', 'yahoo.com.tw', 'yahoo.com.vn', 'yahoo.de', 'yahoo.dk',
    'yahoo.es', 'yahoo.fi', 'yahoo.fr', 'yahoo.gr', 'yahoo.ie', 'yahoo.in', 'yahoo.it', 'yahoo.nl',
    'yahoo.no', 'yahoo.pl', 'yahoo.ro', 'yahoo.se', 'aol.com', 'aol.co.uk', 'aol.de', 'aol.fr',
    'gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'web.de',
    'yandex.com', 'yandex.ru', 'ya.ru', 'mail.ru', 'bk.ru', 'inbox.ru', 'list.ru', 'internet.ru',
    'qq.com', 'foxmail.com', '163.com', '126.com', 'yeah.net', 'sina.com',
    'naver.com', 'hanmail.net', 'daum.net', 'kakao.com',
    -- A price, by itself or with a connection to the internet.
    'fastmail.com', 'fastmail.fm', 'hey.com', 'posteo.de', 'posteo.net', 'mailbox.org',
    'comcast.net', 'verizon.net', 'att.net', 'sbcglobal.net', 'bellsouth.net', 'cox.net',
    'charter.net', 'rr.com', 'btinternet.com', 'sky.com', 'virginmedia.com', 'ntlworld.com',
    'bigpond.com', 'optusnet.com.au', 'telus.net', 'shaw.ca', 'rogers.com', 'sympatico.ca',
    'bluewin.ch', 'ziggo.nl', 'kpnmail.nl', 'xs4all.nl', 'telenet.be', 'skynet.be', 'telia.com',
    'orange.fr', 'wanadoo.fr', 'free.fr', 'sfr.fr', 'neuf.fr', 'bbox.fr', 't-online.de',
    'magenta.de', 'docomo.ne.jp', 'ezweb.ne.jp', 'softbank.ne.jp', 'i.softbank.jp']) then 'costly'
  else coalesce((select kind from mail_domain where domain = asked), 'open') end
$$;
