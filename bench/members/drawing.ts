/**
 * How made-up members come about, as SQL expressions of their join number: the same seed gives the same members on every engine
 * and machine. Inside the database, because ten million rows are then never sent anywhere.
 */

/** Share of members who came by an invite, so also the mean number of friends that a member has brought. */
const INVITED_SHARE = 0.4;
/**
 * Inviters are drawn with probability proportional to rank^(1/a - 1): counts of friends then fall with a power of 1 + a / (a - 1), here
 * 2.43, and the best inviter of ten million members has brought some tens of thousands.
 */
const TAIL = 3.3;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const FIRST_NAMES =
  'ada,amir,anna,bo,carla,chidi,dana,elif,emre,fatou,gio,hana,ines,ivan,jonas,kai,lena,liam,luz,maya,mina,nico,nora,noor,olu,omar,paula,priya,rosa,sam,sofia,tariq,timo,uma,vera,wei,yara,yuki,zoe,zuri';
const DOMAINS = 'mail.example,post.example,inbox.example,students.campus.example,studio.example';
const LAST_NAMES =
  'abe,bauer,costa,diallo,evans,fischer,garcia,haddad,ito,jansen,kaya,lopez,mensah,novak,okafor,park,rossi,silva,tanaka,weber';

export function uuidOf(seed: number, number: string): string {
  const half = (stream: number) => `lpad(to_hex(${hashOf(seed, stream, number)}), 16, '0')`;
  return `overlay(overlay(${half(1)} || ${half(2)} placing '4' from 13 for 1) placing 'a' from 17 for 1)::uuid`;
}

export function codeOf(seed: number, number: string): string {
  const hash = hashOf(seed, 3, number);
  const characters = Array.from(
    { length: 10 },
    (_, index) => `substr('${CROCKFORD}', 1 + ((${hash} >> ${index * 5}) & 31)::integer, 1)`,
  );
  return characters.join(' || ');
}

/** No two alike: the join number is part of it. */
export function emailOf(seed: number, number: string): string {
  return `${pick(FIRST_NAMES, hashOf(seed, 4, number))} || '.' || ${pick(LAST_NAMES, hashOf(seed, 5, number))} || ${number} || '@' || ${pick(DOMAINS, hashOf(seed, 6, number))}`;
}

/** True for members who came by an invite; never for the first, whom nobody could invite. */
export function isInvited(seed: number, number: string): string {
  return `${number} > 1 and ${unitOf(seed, 7, number)} < ${INVITED_SHARE}`;
}

/**
 * The join number of the inviter. A popularity rank is drawn, and every rank belongs to some member, however early or late they came;
 * where that member is not there yet, somebody who is has invited, everybody as likely.
 */
export function inviterOf(seed: number, number: string, members: number): string {
  const rank = `floor(${members} * power(${unitOf(seed, 8, number)}, ${TAIL}))::bigint`;
  const popular = `1 + floor(${members} * ${unitOf(seed, 9, rank)})::bigint`;
  const anybody = `1 + floor((${number} - 1) * ${unitOf(seed, 10, number)})::bigint`;
  return `case when ${popular} < ${number} then ${popular} else ${anybody} end`;
}

/** From 0 at the first to 1 at the last member: a crowd at the opening, then ever fewer a day. */
export function arrivalOf(number: string, members: number): string {
  return `power(${number}::float8 / ${members}, 2)`;
}

function hashOf(seed: number, stream: number, number: string): string {
  return `hashint8extended(${number}, ${seed * 100 + stream})`;
}

/** At least 0, below 1. */
function unitOf(seed: number, stream: number, number: string): string {
  return `((${hashOf(seed, stream, number)} & 9007199254740991)::float8 / 9007199254740992)`;
}

function pick(words: string, hash: string): string {
  const count = words.split(',').length;
  return `('{${words}}'::text[])[1 + (${hash} & 1048575)::integer % ${count}]`;
}
