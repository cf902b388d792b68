/** Reads HTTP answers off one connection that has one request under way at a time. */
import type { Socket } from 'node:net';

export type Answer = { readonly status: number; readonly body: string };

/** Calls `onAnswer` when an answer is there to its last byte. Text is read as Latin-1: one character is one byte. */
export function readAnswers(socket: Socket, onAnswer: (answer: Answer) => void): void {
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (more: string) => {
    text = text === '' ? more : text + more;
    const answer = parseAnswer(text);
    if (answer === null) return;
    text = '';
    onAnswer(answer);
  });
}

/** Null while bytes are missing. Knows answers with a length and chunked ones. */
export function parseAnswer(text: string): Answer | null {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = text.slice(0, headEnd);
  const bodyStart = headEnd + 4;
  const status = Number(text.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const bodyEnd = bodyStart + Number(length);
    return text.length < bodyEnd ? null : { status, body: text.slice(bodyStart, bodyEnd) };
  }
  if (/\r\ntransfer-encoding: *chunked/i.test(head))
    return text.endsWith('0\r\n\r\n') ? { status, body: text.slice(bodyStart) } : null;
  return { status, body: '' };
}
