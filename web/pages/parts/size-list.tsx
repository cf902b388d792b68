import { brand } from '../../../brand/brand.ts';
import { Badge } from '../../ui/badge.tsx';

export function SizeList() {
  return (
    <div className="size-list">
      <h2>{`ONLY ${brand.maskCount} MASKS`}</h2>
      <ul aria-label="Sizes">
        {brand.sizes.map(({ name }) => (
          <li key={name}>
            <Badge>{name}</Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}
