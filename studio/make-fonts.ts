/** `npm run fonts` makes the fonts of fonts/faces.ts; the same packages give the same bytes. */
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import subsetFont from 'subset-font';
import { drawInDots } from './fonts/draw-in-dots.ts';
import { type Face, faces } from './fonts/faces.ts';
import { type FontMetrics, readFontMetrics } from './fonts/font-metrics.ts';
import { renameFont } from './fonts/font-tables.ts';

const root = new URL('../', import.meta.url);
const rules: string[] = [];
let totalBytes = 0;

for (const face of faces) {
  const { sfnt, woff2, metrics } = await cutFace(face);
  await writeFile(new URL(`brand/fonts/${face.file}`, root), woff2);
  // The renderer of share images reads no woff2.
  await writeFile(
    new URL(`brand/fonts/${face.file.replace('.woff2', '.ttf')}`, root),
    renameFont(sfnt, face.family),
  );
  rules.push(brandFaceRule(face), fallbackRule(face, metrics));
  totalBytes += woff2.length;
  console.log(`${face.file} ${woff2.length} bytes`);
}
await writeFile(
  new URL('brand/fonts.css', root),
  `/* Made by \`npm run fonts\`. */\n${rules.join('\n')}`,
);
execFileSync(
  process.execPath,
  ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', 'brand/fonts.css'],
  { cwd: root },
);
await writeLicence();
console.log(`All fonts ${totalBytes} bytes`);

async function cutFace(face: Face): Promise<{ sfnt: Buffer; woff2: Buffer; metrics: FontMetrics }> {
  const source = await readFile(packageFile(face, `files/${face.sourceFile}`));
  const options = { variationAxes: face.axes, keepFeatures: [...face.features], noHinting: true };
  const cut = await subsetFont(source, face.characters, { ...options, targetFormat: 'sfnt' });
  const { redrawn } = face;
  const drawn = redrawn ? drawInDots(cut, redrawn.character, redrawn.rows) : cut;
  const whole = { keepFeatures: [...face.features], noHinting: true };
  const sfnt = await subsetFont(drawn, face.characters, { ...whole, targetFormat: 'sfnt' });
  const woff2 = await subsetFont(drawn, face.characters, { ...whole, targetFormat: 'woff2' });
  return { sfnt, woff2, metrics: readFontMetrics(sfnt, face.fallback.sample) };
}

/** The fonts have one licence, below a copyright notice of each, which is a line. */
async function writeLicence(): Promise<void> {
  const sources = new Map(faces.map((face) => [face.source, face]));
  const texts = await Promise.all(
    Array.from(sources.values(), (face) => readFile(packageFile(face, 'LICENSE'), 'utf8')),
  );
  const notices = texts.map((text) => text.slice(0, text.indexOf('\n') + 1));
  const [terms = '', ...others] = new Set(texts.map((text, at) => text.slice(notices[at]?.length)));
  if (others.length > 0) throw new Error('The licences of the fonts differ.');
  await writeFile(new URL('brand/fonts/OFL.txt', root), notices.join('') + terms);
}

function packageFile(face: Face, path: string): URL {
  return new URL(`node_modules/@fontsource-variable/${face.source}/${path}`, root);
}

function brandFaceRule(face: Face): string {
  return `@font-face {
  font-family: "${face.family}";
  font-display: ${face.display};
  src: url("./fonts/${face.file}") format("woff2");
}
`;
}

function fallbackRule(face: Face, metrics: FontMetrics): string {
  const { local, sample, widthOf } = face.fallback;
  const fallbackWidth =
    [...sample].reduce((sum, character) => sum + widthOf(character), 0) / sample.length;
  const scale = metrics.averageWidth / fallbackWidth;
  return `@font-face {
  font-family: "${face.family} Fallback";
  src:
${local
  .split(', ')
  .map((name) => `    local("${name}")`)
  .join(',\n')};
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(metrics.ascent / scale)};
  descent-override: ${percent(metrics.descent / scale)};
  line-gap-override: ${percent(metrics.lineGap / scale)};
}
`;
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(2))}%`;
}
