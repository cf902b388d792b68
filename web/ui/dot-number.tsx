type DotNumberProps = {
  readonly value: number;
  /** Stands before the digits, say "#". */
  readonly prefix?: string;
};

/**
 * A number in dot numerals. Its text is a plain copy for screen readers, to whom single digits are a list; the digits are
 * drawn by the style sheet. A new value settles anew.
 */
export function DotNumber({ value, prefix = '' }: DotNumberProps) {
  const text = `${prefix}${value}`;
  return (
    <span className="dot-number" data-length={text.length}>
      <span className="visually-hidden">{text}</span>
      <span key={text} aria-hidden="true">
        {[...text].map((character, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a digit is its place.
          <span key={index} className="dot-number-digit" data-digit={character} />
        ))}
      </span>
    </span>
  );
}
