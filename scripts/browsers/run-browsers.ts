/**
 * `npm run browsers`: the tests in Chromium, Firefox and WebKit. Writes docs/BROWSERS.md, and what
 * each shows side by side into docs/screenshots/browsers/.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { ROOT } from '../build/vite-config.ts';
import { buildSite, DIST } from '../build.ts';
import { ensureChromium } from '../chromium.ts';
import { ensureOtherEngines } from './other-engines.ts';

type Journey = {
  readonly version: string;
  readonly outcomes: readonly [step: string, failure: string | null][];
};

const ENGINES = ['Chromium', 'Firefox', 'WebKit'] as const;
const PICTURES = ['landing', 'status', 'invite'] as const;
const PHONE = { width: 260, height: 563, gap: 16 };
const OUT = join(ROOT, 'docs/screenshots/browsers');

for (const sentence of ensureOtherEngines()) console.log(sentence);
ensureChromium();
await buildSite({ outDir: DIST });
const report = mkdtempSync(join(tmpdir(), 'waitlist-browsers-'));
const { status } = spawnSync(
  'vitest',
  ['run', '--project', 'browser', '--maxWorkers', '1', 'test/browser/engines'],
  { stdio: 'inherit', cwd: ROOT, env: { ...process.env, BROWSERS_REPORT: report } },
);
const journeys = ENGINES.flatMap((name) => {
  const file = join(report, `${name}.json`);
  return existsSync(file) ? [{ name, ...(JSON.parse(readFileSync(file, 'utf8')) as Journey) }] : [];
});
writeFileSync(join(ROOT, 'docs/BROWSERS.md'), describe());
mkdirSync(OUT, { recursive: true });
for (const label of PICTURES) await joinPictures(label);
rmSync(report, { recursive: true });
process.exit(status ?? 1);

function describe(): string {
  const steps = journeys[0]?.outcomes.map(([step]) => step) ?? [];
  const mark = (outcomes: Journey['outcomes'], step: string) => {
    const found = outcomes.find(([name]) => name === step);
    if (!found) return 'not reached';
    return found[1] === null ? 'yes' : 'no';
  };
  const rows = steps.map((step) => [step, ...journeys.map(({ outcomes }) => mark(outcomes, step))]);
  const table = [['On a phone of 390 x 844', ...journeys.map(({ name }) => name)], ...rows];
  const [head = '', ...body] = table.map((cells) => `| ${cells.join(' | ')} |`);
  const rule = `| --- |${journeys.map(() => ' --- |').join('')}`;
  const versions = journeys.map(({ name, version }) => `- ${name}: ${version}`).join('\n');
  return `# The site in other browsers

${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()}, Linux ${release()}. Again:
\`npm run browsers\`. \`npm test\` runs the same tests where the engines can be installed.

${versions}

${[head, rule, ...body].join('\n')}

In each engine it is tested, too, that preloaded calls are made once, that no page scrolls sideways
at twice the text size, that the lights stay on the dots, and that the teaser has one stop with a
whole focus ring before it plays: test/browser/engines.

![The landing page in each engine](screenshots/browsers/landing.webp)

![The status page](screenshots/browsers/status.webp)

![An invite](screenshots/browsers/invite.webp)

Not tested: Safari itself, neither on a Mac nor on iOS, where audio and share sheet differ from
WebKitGTK; devices' own share sheets; Firefox on Android. The oldest browsers are held by lists of
what they lack: test/budgets/oldest-browsers.test.ts.
`;
}

async function joinPictures(label: string): Promise<void> {
  const files = journeys.map(({ name }) => join(report, `${label}-${name}.png`)).filter(existsSync);
  if (files.length === 0) return;
  const { width, height, gap } = PHONE;
  const views = await Promise.all(
    files.map((file) => sharp(file).resize({ width, height, fit: 'cover' }).toBuffer()),
  );
  const whole = { width: views.length * (width + gap) - gap, height };
  await sharp({ create: { ...whole, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite(views.map((input, index) => ({ input, left: index * (width + gap), top: 0 })))
    .webp({ quality: 80 })
    .toFile(join(OUT, `${label}.webp`));
}
