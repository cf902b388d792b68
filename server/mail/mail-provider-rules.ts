/** Whose name an address has after the @, and whether anybody can have a mailbox there. */
import { getDomain } from 'tldts';

/** Apple's relay gives aliases, at a name below that of the provider. */
const RELAY = 'private.icloud.com';

/** Below a public suffix, also one whose owner lets others register there; else all of it. */
export function registrableName(domain: string): string {
  if (domain === RELAY) return domain;
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}

export function isMailProvider(name: string): boolean {
  return PROVIDERS.has(name);
}

/**
 * Providers at whose name anybody can have a mailbox, or everybody whom they connect. Most are
 * those of Mozilla's ISPDB (github.com/thunderbird/autoconfig, March 2026). Not listed: names of
 * hosters, schools and fun domains, and services of aliases (mailbox-rules.ts). Whoever buys a name
 * can make mailboxes without end: take out what a provider gives up.
 */
const PROVIDERS: ReadonlySet<string> = new Set(
  `
  126.com 139.com 163.com 189.cn a1.net abv.bg adinet.com.uy aim.com alice.it aliceadsl.fr
  aliyun.com ameritech.net amorki.pl aol.co.nz aol.co.uk aol.com aol.com.ar aol.com.au aol.com.br
  aol.com.mx aol.de aol.es aol.fr aol.it aol.se aon.at apollo.lv arcor.de arnet.com.ar atlas.cz
  att.net au.com autograf.pl autorambler.ru azet.sk bbox.fr belgacom.net bell.net bellsouth.net
  bezeqint.net biglobe.ne.jp bigmir.net bigpond.com bigpond.net.au bk.ru blu.it bluemail.ch
  bluewin.ch blueyonder.co.uk bol.com.br bredband.net broadpark.no btinternet.com btopenworld.com
  buziaczek.pl casema.nl centrum.cz centrum.sk centurylink.net centurytel.net charter.net chello.at
  chello.nl citromail.hu ciudad.com.ar club-internet.fr cogeco.ca comcast.net comhem.se
  compuserve.com cox.net daum.net dir.bg docomo.ne.jp dodo.com.au earthlink.net eastlink.ca
  eircom.net elisanet.fi email.com email.cz email.it embarqmail.com excite.co.jp ezweb.ne.jp
  fastwebnet.it fibertel.com.ar forthnet.gr foxmail.com free.fr freemail.hu freenet.de frontier.com
  frontiernet.net gazeta.pl getmail.no giallo.it globo.com gmail.com gmx.at gmx.ch gmx.co.uk gmx.com
  gmx.de gmx.es gmx.eu gmx.fr gmx.net gmx.org gmx.us go2.pl goo.jp googlemail.com hanmail.net
  hetnet.nl hey.com hinet.net hispeed.ch home.nl hot.ee hotmail.be hotmail.ca hotmail.ch hotmail.cl
  hotmail.co.id hotmail.co.il hotmail.co.in hotmail.co.jp hotmail.co.kr hotmail.co.nz hotmail.co.th
  hotmail.co.uk hotmail.co.za hotmail.com hotmail.com.ar hotmail.com.au hotmail.com.br
  hotmail.com.hk hotmail.com.mx hotmail.com.tr hotmail.com.tw hotmail.com.vn hotmail.cz hotmail.de
  hotmail.dk hotmail.es hotmail.fi hotmail.fr hotmail.gr hotmail.hu hotmail.it hotmail.lt hotmail.lv
  hotmail.my hotmail.nl hotmail.no hotmail.ph hotmail.rs hotmail.se hotmail.sg hotmail.sk hughes.net
  i.ua icloud.com ig.com.br iinet.net.au inbox.eu inbox.lt inbox.lv inbox.ru indamail.hu
  indiatimes.com inet.hr int.pl interia.com interia.eu interia.pl internet.ru inwind.it iol.it
  iol.pt jazztel.es juno.com kabelmail.de kakao.com keemail.me kolumbus.fi kpnmail.nl kpnplanet.nl
  laposte.net lenta.ru libero.it list.ru live.at live.be live.ca live.ch live.cl live.cn live.co.jp
  live.co.kr live.co.uk live.co.za live.com live.com.ar live.com.au live.com.mx live.com.my
  live.com.ph live.com.pt live.com.sg live.de live.dk live.fi live.fr live.hk live.ie live.in
  live.it live.jp live.nl live.no live.ru live.se mac.com magenta.de mail.bg mail.com mail.de
  mail.dk mail.ee mail.ru mailbox.org mchsi.com me.com meo.pt meta.ua mindspring.com movistar.es
  msn.com mweb.co.za mynet.com myrambler.ru myyahoo.com narod.ru nate.com naver.com net.hr
  netscape.net netvision.net.il netzero.net neuf.fr nifty.com ntlworld.com numericable.fr o2.pl
  ocn.ne.jp oi.com.br on.net one.lt onet.eu onet.pl online.de online.nl online.no onlinehome.de
  ono.com onsnet.nu op.pl optimum.net optonline.net optusnet.com.au orange.fr otenet.gr outlook.at
  outlook.be outlook.cl outlook.co.id outlook.co.il outlook.co.th outlook.com outlook.com.ar
  outlook.com.au outlook.com.br outlook.com.gr outlook.com.tr outlook.com.vn outlook.cz outlook.de
  outlook.dk outlook.es outlook.fr outlook.hu outlook.ie outlook.in outlook.it outlook.jp outlook.kr
  outlook.lv outlook.my outlook.ph outlook.pt outlook.sa outlook.sg outlook.sk pacbell.net
  pacific.net.sg pchome.com.tw plala.or.jp planet.nl plus.net pm.me poczta.fm post.com post.cz
  poste.it posteo.at posteo.ch posteo.de posteo.net prodigy.net prodigy.net.mx prokonto.pl proton.me
  protonmail.ch protonmail.com proximus.be ptd.net q.com qq.com quicknet.nl r7.com rambler.ru
  rcn.com rediffmail.com ro.ru roadrunner.com rocketmail.com rogers.com rr.com sapo.pt sasktel.net
  saunalahti.fi sbcglobal.net seed.net.tw seznam.cz sfr.fr shaw.ca simnet.is sina.cn
  sina.com singnet.com.sg siol.net sky.com skynet.be slingshot.co.nz so-net.ne.jp softbank.jp
  softbank.ne.jp sohu.com spectrum.net speedy.com.ar spoko.pl spray.se stofanet.dk suddenlink.net
  sunrise.ch swbell.net sympatico.ca t-online.de t-online.hu talk21.com talktalk.net tdcadsl.dk
  tds.net tele2.nl telefonica.net telenet.be telepac.pt teletu.it telfort.nl telia.com telkomsa.net
  telus.net terra.com.br terra.es tim.it tin.it tiscali.co.uk tiscali.it tlen.pl tom.com tpg.com.au
  tuta.com tuta.io tutamail.com tutanota.com tutanota.de twc.com ukr.net uol.com.br upcmail.nl
  usa.com verizon.net videotron.ca virgilio.it virgin.net virginmedia.com vk.com vodafone.co.nz
  vodafonemail.de vodamail.co.za volny.cz voo.be vp.pl vtr.net walla.co.il walla.com wanadoo.fr
  web.de webmail.co.za westnet.com.au windowslive.com windstream.net wo.cn wowway.com wp.pl wxs.nl
  xfinity.com xmail.ru xs4all.nl xtra.co.nz ya.ru yahoo.at yahoo.be yahoo.ca yahoo.ch yahoo.cl
  yahoo.co.id yahoo.co.il yahoo.co.in yahoo.co.jp yahoo.co.kr yahoo.co.nz yahoo.co.th yahoo.co.uk
  yahoo.co.za yahoo.com yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.co yahoo.com.hk
  yahoo.com.mx yahoo.com.my yahoo.com.pe yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw
  yahoo.com.ve yahoo.com.vn yahoo.cz yahoo.de yahoo.dk yahoo.es yahoo.fi yahoo.fr yahoo.gr yahoo.hu
  yahoo.ie yahoo.in yahoo.it yahoo.nl yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.se yandex.by
  yandex.com yandex.kz yandex.ru yandex.ua ybb.ne.jp yeah.net ymail.com zeelandnet.nl ziggo.nl
  ziggomail.com zoho.com zoho.eu zoho.in zohomail.com zohomail.eu zohomail.in zoznam.sk
  `.match(/\S+/g),
);
