import type { ReactNode } from 'react';

type CardProps = {
  readonly title: string;
  readonly id: string;
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
};

export function Card({ title, id, aside, className = '', children }: CardProps) {
  return (
    <section className={`card ${className}`} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
