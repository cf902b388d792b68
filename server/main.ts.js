/**
 * What `node server/main.ts` runs: Node looks for the name with `.js` added. In plain JavaScript,
 * because a Node that is too old cannot read TypeScript, not even to say so. Decision 0007.
 */
const OLDEST_MAJOR = 24;

const [major] = process.versions.node.split('.').map(Number);
if (major < OLDEST_MAJOR) {
  const advice = 'run npm start, which brings its own, or install a newer one';
  console.error(
    `Node ${OLDEST_MAJOR} or newer is required; this is ${process.version}: ${advice}.`,
  );
  process.exit(1);
}
await import('./process.ts');
