/** The teaser film of the brand. */
export function TeaserCard() {
  return <div className="teaser" />;
}
