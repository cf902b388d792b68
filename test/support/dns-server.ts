/** A DNS server over UDP that answers questions for MX records as a test says (RFC 1035). */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The exchanges of a domain; a response code; silence; or an answer to another question. */
export type DnsAnswer = readonly string[] | { readonly rcode: number } | 'silent' | 'mismatched';

export const SERVFAIL = { rcode: 2 };
export const NXDOMAIN = { rcode: 3 };

const HEADER_BYTES = 12;
const MX = 15;
const IN = 1;

export async function startDnsServer(answers: Pick<ReadonlyMap<string, DnsAnswer>, 'get'>) {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    asked.push(name);
    const answer = answers.get(name) ?? NXDOMAIN;
    if (answer === 'silent') return;
    const bytes = answerTo(query.subarray(0, end + 4), answer);
    socket.send(bytes, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** Names in the order of the questions, retries too. */
    asked,
    close: () => socket.close(),
  };
}

function answerTo(query: Buffer, answer: Exclude<DnsAnswer, 'silent'>): Buffer {
  const exchanges = answer === 'mismatched' ? ['aspmx.l.google.com'] : answer;
  const records = 'rcode' in exchanges ? [] : exchanges;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.readUInt16BE(0) ^ (answer === 'mismatched' ? 1 : 0), 0);
  header.writeUInt16BE(0x8180 | ('rcode' in exchanges ? exchanges.rcode : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(HEADER_BYTES), ...records.map(mxRecord)]);
}

function mxRecord(exchange: string): Buffer {
  const name = writeName(exchange);
  const fixed = Buffer.alloc(14);
  fixed.writeUInt16BE(0xc000 | HEADER_BYTES, 0); // The name of the question.
  fixed.writeUInt16BE(MX, 2);
  fixed.writeUInt16BE(IN, 4);
  fixed.writeUInt32BE(60, 6);
  fixed.writeUInt16BE(name.length + 2, 10);
  fixed.writeUInt16BE(10, 12);
  return Buffer.concat([fixed, name]);
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function writeName(name: string): Buffer {
  const labels = name.split('.').filter(Boolean);
  const bytes = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...bytes, Buffer.from([0])]);
}
