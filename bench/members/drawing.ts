/**
 * Made-up members as SQL expressions of their join number: the same seed gives the same members on
 * every engine and machine. They are made inside the database, so no row is sent anywhere.
 */

/** Share of members that came by an invite, and so the mean number of friends of a member. */
const INVITED_SHARE = 0.4;
/**
 * Inviters are drawn with a probability proportional to rank^(1/a - 1). Counts of friends then fall
 * with a power of 1 + a / (a - 1), here 2.43: of ten million members, the best inviter has brought
 * some tens of thousands.
 */
const TAIL = 3.3;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const FIRST_NAMES =
  'ada,amir,anna,bo,carla,chidi,dana,elif,emre,fatou,gio,hana,ines,ivan,jonas,kai,lena,liam,luz,' +
  'maya,mina,nico,nora,noor,olu,omar,paula,priya,rosa,sam,sofia,tariq,timo,uma,vera,wei,yara,' +
  'yuki,zoe,zuri';
const DOMAINS = 'mail.example,post.example,inbox.example,students.campus.example,studio.example';
const LAST_NAMES =
  'abe,bauer,costa,diallo,evans,fischer,garcia,haddad,ito,jansen,kaya,lopez,mensah,novak,okafor,' +
  'park,rossi,silva,tanaka,weber';

/** Version 7, as ids of members are: in the order of joining, one a millisecond. */
export function uuidOf(seed: number, number: string): string {
  const half = (stream: number) => `lpad(to_hex(${hashOf(seed, stream, number)}), 16, '0')`;
  const time = `lpad(to_hex(1700000000000 + ${number}), 12, '0')`;
  return `(${time} || '7' || substr(${half(1)}, 1, 3) || 'a' || substr(${half(2)}, 1, 15))::uuid`;
}

export function codeOf(seed: number, number: string): string {
  const hash = hashOf(seed, 3, number);
  const characters = Array.from(
    { length: 10 },
    (_, index) => `substr('${CROCKFORD}', 1 + ((${hash} >> ${index * 5}) & 31)::integer, 1)`,
  );
  return characters.join(' || ');
}

/** Unique: the join number is part of it. */
export function emailOf(seed: number, number: string): string {
  const first = pick(FIRST_NAMES, hashOf(seed, 4, number));
  const last = pick(LAST_NAMES, hashOf(seed, 5, number));
  const domain = pick(DOMAINS, hashOf(seed, 6, number));
  return `${first} || '.' || ${last} || ${number} || '@' || ${domain}`;
}

/** Never for the first member, whom nobody could invite. */
export function isInvited(seed: number, number: string): string {
  return `${number} > 1 and ${unitOf(seed, 7, number)} < ${INVITED_SHARE}`;
}

/**
 * The join number of the inviter. A popularity rank is drawn; each rank belongs to a member who
 * may have come early or late. Until that member has joined, an earlier one invites, drawn evenly.
 */
export function inviterOf(seed: number, number: string, members: number): string {
  const rank = `floor(${members} * power(${unitOf(seed, 8, number)}, ${TAIL}))::bigint`;
  const popular = `1 + floor(${members} * ${unitOf(seed, 9, rank)})::bigint`;
  const earlier = `1 + floor((${number} - 1) * ${unitOf(seed, 10, number)})::bigint`;
  return `case when ${popular} < ${number} then ${popular} else ${earlier} end`;
}

/** From 0 to 1 over all members: a crowd at the opening, then fewer and fewer a day. */
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
