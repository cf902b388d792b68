import { codeOf, StartupError } from '../../startup-error.ts';

const UNREACHABLE = /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|E(?:HOST|NET)UNREACH|ENOENT|57P03)$/;
const UNTRUSTED = /^(?:.*_CERT(?:_.*)?|CERT_.*|ERR_TLS_CERT_.*|UNABLE_TO_.*)$/;
const UNKNOWN_AUTHORITY = /SELF_SIGNED|UNABLE_TO_/;

const PGBOUNCER_LINE =
  'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout';

export function startupErrorOf(error: unknown, databaseUrl: string): StartupError | null {
  if (error instanceof StartupError) return error;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const { host, hostname, pathname } = new URL(databaseUrl);
  const database = decodeURIComponent(pathname.slice(1));
  const sentence = (text: string) => new StartupError(text, { cause: error });
  // The message names a setting that ends in "timeout", so this comes before timeouts.
  if (/unsupported startup parameter/.test(message))
    return sentence(
      `The PgBouncer at ${host} refuses settings of the server: ` +
        `add ${PGBOUNCER_LINE} to its configuration.`,
    );
  if (/statement pooling mode/.test(message))
    return sentence(
      `The PgBouncer at ${host} pools by statement: set pool_mode = transaction or session.`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return sentence(
      `The name ${hostname} of DATABASE_URL leads to no address: is it right, and does DNS answer?`,
    );
  if (UNREACHABLE.test(code) || /timeout|Connection terminated/.test(message))
    return sentence(
      `No PostgreSQL answers at ${host} (DATABASE_URL): is it running, and is the address right?`,
    );
  if (code === '28P01' || /password must be a string/.test(message))
    return sentence(`PostgreSQL at ${host} refused the user name or password of DATABASE_URL.`);
  if (code === '3D000')
    return sentence(`PostgreSQL at ${host} has no database ${database}: create it first.`);
  if (code === '42501')
    return sentence(
      `The user of DATABASE_URL lacks a right in ${database} (${message}): ` +
        'run ./waitlist migrate as its owner, or see deploy/postgresql-roles.sql.',
    );
  if (UNTRUSTED.test(code)) {
    const advice = UNKNOWN_AUTHORITY.test(code)
      ? ': name its authority with sslrootcert=<file> in DATABASE_URL'
      : '';
    return sentence(`The certificate of PostgreSQL at ${host} is refused (${message})${advice}.`);
  }
  if (/SSL/.test(message))
    return sentence(`PostgreSQL at ${host} and DATABASE_URL disagree about TLS: ${message}.`);
  return null;
}

export function connectionErrorOf(error: unknown, databaseUrl: string): StartupError {
  const message = error instanceof Error ? error.message : String(error);
  return (
    startupErrorOf(error, databaseUrl) ??
    new StartupError(
      `PostgreSQL at ${new URL(databaseUrl).host} refused the connection: ${message}.`,
      { cause: error },
    )
  );
}
