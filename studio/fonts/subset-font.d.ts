declare module 'subset-font' {
  type Options = {
    targetFormat: 'sfnt' | 'woff2';
    variationAxes?: Record<string, number>;
    keepFeatures: string[];
    noHinting: boolean;
  };
  const subsetFont: (font: Buffer, text: string, options: Options) => Promise<Buffer>;
  export = subsetFont;
}
