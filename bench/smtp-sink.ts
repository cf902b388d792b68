/** A mail server that takes everything and says how much: a process of its own, so that it does not slow the client down. */
import { SMTPServer } from 'smtp-server';

let taken = 0;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  onData(stream, _session, done) {
    stream.resume();
    stream.on('end', () => {
      taken += 1;
      done();
    });
  },
});
server.listen(Number(process.env.SINK_PORT), '127.0.0.1', () => process.send?.('open'));
process.on('message', () => process.send?.(taken));
