/** Starts HAProxy, three servers, a primary with its standby, and a mail server. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { freePort } from '../support/server-process.ts';
import { type MailSink, startMailSink } from './mail-sink.ts';
import { type Nodes, planNodes } from './nodes.ts';
import { type PostgresPair, startPostgresPair } from './postgres/postgres-pair.ts';
import { servePrimaryCheck } from './postgres/primary-check.ts';
import { findHaproxy, type Haproxy, makeCertificate, startHaproxy } from './proxy/haproxy.ts';

export type Cluster = {
  /** Holds the files of this cluster, and is deleted with it. */
  readonly folder: string;
  /** The address for visitors. */
  readonly url: string;
  readonly certificate: string;
  readonly pair: PostgresPair;
  readonly nodes: Nodes;
  readonly haproxy: Haproxy;
  readonly mailSink: MailSink;
  /** Kills what still runs and deletes all files. */
  remove(): Promise<void>;
};

const NODES = 3;
/** Fast enough for all mail to leave before the visitors do. */
const MAILS_PER_SECOND = 1_000;

export async function openCluster(): Promise<Cluster> {
  findHaproxy();
  const undo: (() => unknown)[] = [];
  const remove = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), 'waitlist-cluster-'));
    chmodSync(folder, 0o755);
    undo.push(() => rmSync(folder, { recursive: true }));
    const { file, certificate } = makeCertificate(folder);
    // The visitors in this process trust it.
    setDefaultCACertificates([certificate]);
    const mailSink = await startMailSink();
    undo.push(() => mailSink.close());
    const pair = await startPostgresPair();
    undo.push(() => pair.remove());
    const checks = await Promise.all(pair.sides.map((side) => servePrimaryCheck(side.url)));
    undo.push(() => checks.map((check) => check.close()));

    const [visitorsPort, databasePort] = [await freePort(), await freePort()];
    const databaseUrl = new URL(pair.primary().url);
    databaseUrl.port = String(databasePort);
    const url = `https://127.0.0.1:${visitorsPort}`;
    const settings = () => ({
      DATABASE_URL: databaseUrl.href,
      PUBLIC_URL: url,
      TRUST_PROXY: '127.0.0.1',
      SECRET_KEY: 'the same on all three servers, as it must be',
      SMTP_URL: mailSink.url,
      MAIL_RATE: String(MAILS_PER_SECOND),
    });
    const nodes = await planNodes(NODES, { folder, settings });
    undo.push(() => nodes.killAll());
    const haproxy = await startHaproxy(folder, {
      visitorsPort,
      certificateFile: file,
      adminSocket: join(folder, 'admin.sock'),
      nodes: nodes.all,
      databasePort,
      databases: pair.sides.map(({ name, port }, index) => ({
        name,
        port,
        checkPort: checks[index]?.port ?? 0,
      })),
    });
    undo.push(() => haproxy.stop());
    await Promise.all(nodes.all.map((node) => nodes.start(node)));
    return { folder, url, certificate, pair, nodes, haproxy, mailSink, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
