/**
 * deploy/haproxy.cfg for one machine: TLS in front of the nodes, and the current primary for them.
 */
export type HaproxyPlan = {
  readonly visitorsPort: number;
  /** PEM: certificate and key. */
  readonly certificateFile: string;
  /** The socket to take nodes out by. */
  readonly adminSocket: string;
  readonly nodes: readonly { readonly name: string; readonly port: number }[];
  readonly databasePort: number;
  /** `checkPort` answers GET /primary as Patroni does: 200 while this side is the primary. */
  readonly databases: readonly {
    readonly name: string;
    readonly port: number;
    readonly checkPort: number;
  }[];
};

export function haproxyConfig(plan: HaproxyPlan): string {
  const nodes = (check: string) =>
    plan.nodes.map(({ name, port }) => `  server ${name} 127.0.0.1:${port}${check}`).join('\n');
  const databases = plan.databases.map(
    ({ name, port, checkPort }) => `  server ${name} 127.0.0.1:${port} check port ${checkPort}`,
  );
  return `
global
  maxconn 4000
  stats socket ${plan.adminSocket} mode 600 level admin

defaults
  timeout connect 1s
  timeout http-request 10s
  timeout http-keep-alive 65s
  timeout client 65s
  timeout server 65s
  default-server inter 500ms fall 2 rise 1

frontend visitors
  mode http
  bind 127.0.0.1:${plan.visitorsPort} ssl crt ${plan.certificateFile} alpn h2,http/1.1
  # Every visitor here is this machine: requests that name no address get a random one.
  acl is_named req.hdr(X-Forwarded-For) -m found
  http-request set-header X-Forwarded-For 10.%[rand(256)].%[rand(256)].%[rand(256)] unless is_named
  # A join without Idempotency-Key is sent once. All else may be sent again to another node.
  http-request disable-l7-retry if METH_POST !{ req.hdr(Idempotency-Key) -m found }
  use_backend live if { path_beg /api/waitlist/status/ } { path_end /live } { nbsrv(live) gt 0 }
  use_backend ready if { nbsrv(ready) gt 0 }
  default_backend alive

backend ready
  mode http
  balance roundrobin
  option httpchk GET /readyz
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response
${nodes(' check')}

backend live
  mode http
  balance leastconn
  option httpchk GET /readyz
${nodes(' check')}

# Without the database no node is ready: they say so themselves, and still have the landing page.
backend alive
  mode http
  balance roundrobin
  option httpchk GET /healthz
  option redispatch 1
  retries 3
${nodes(' check')}

listen database
  mode tcp
  bind 127.0.0.1:${plan.databasePort}
  timeout client 1h
  timeout server 1h
  # Refused at once: a server that reconnects finds the new primary sooner than one that waits here.
  retries 0
  option httpchk GET /primary
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${databases.join('\n')}
`;
}
