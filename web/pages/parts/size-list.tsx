import { brand } from '../../../brand/brand.ts';

export function SizeList() {
  return (
    <div className="size-list">
      <h2>{`ONLY ${brand.maskCount} MASKS`}</h2>
      <ul aria-label="Sizes">
        {brand.sizes.map(({ name }) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </div>
  );
}
