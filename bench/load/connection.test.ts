import { expect, test } from 'vitest';
import { parseAnswer } from './connection.ts';

const head = 'HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\n';

test('an answer is complete with its last byte, and no sooner', () => {
  expect(parseAnswer('HTTP/1.1 201 Crea')).toBeNull();
  expect(parseAnswer(`${head}1234`)).toBeNull();
  expect(parseAnswer(`${head}12345`)).toEqual({ status: 201, body: '12345' });
});

test('a chunked answer ends with its empty chunk', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n';
  expect(parseAnswer(chunked)).toBeNull();
  expect(parseAnswer(`${chunked}0\r\n\r\n`)?.status).toBe(200);
});

test('an answer without a body ends with its head', () => {
  expect(parseAnswer('HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n')).toEqual({
    status: 304,
    body: '',
  });
});
