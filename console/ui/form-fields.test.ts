import { expect, test } from 'vitest';
import { type FormFields, readFields } from './form-fields.tsx';

const FIELDS = {
  stock: { label: 'Stock', kind: 'number', max: 1_000_000 },
  hours: { label: 'Hours', kind: 'decimal', min: 0.5, max: 336 },
  cost: { label: 'Cost', kind: 'decimal' },
} satisfies FormFields<string>;
const EMPTY = { stock: '', hours: '', cost: '' };

test.each([
  ['stock', '0', '0'],
  ['stock', ' 34 ', '34'],
  ['stock', '1,000,000', '1000000'],
  ['hours', '1.5', '1.5'],
  ['hours', '1,5', '1.5'],
  ['hours', '336', '336'],
  ['cost', '1,250.00', '1250'],
  ['cost', '0.05', '0.05'],
] as const)('a %s of "%s" is read as %s', (name, text, value) => {
  const { values, faults } = readFields<keyof typeof FIELDS>(FIELDS, { ...EMPTY, [name]: text });
  expect(values[name]).toBe(value);
  expect(faults).toEqual({});
});

test.each([
  ...['1000001', '1,00', '-1', '3.5', '1e3'].map((text) => ['stock', text] as const),
  ...['0.1', '0', '-1', '1e2', '336.1', 'soon'].map((text) => ['hours', text] as const),
  ...['1,2500', '1.234'].map((text) => ['cost', text] as const),
])('a %s of "%s" is refused', (name, text) => {
  const { faults } = readFields<keyof typeof FIELDS>(FIELDS, { ...EMPTY, [name]: text });
  expect(Object.keys(faults)).toEqual([name]);
});

test('a fault names its field, and only shown fields have any', () => {
  const fields: FormFields<'name' | 'masks' | 'why'> = {
    name: { label: 'Name', isRequired: true, isShown: ({ why }) => why !== '' },
    masks: { label: 'Masks', kind: 'number', min: 1, max: 1000 },
    why: { label: 'Why', isRequired: true, missing: 'Please write why.' },
  };
  const { faults } = readFields(fields, { name: ' ', masks: '0', why: '' });
  expect(faults).toEqual({
    masks: '“Masks” takes a whole number from 1 to 1,000.',
    why: 'Please write why.',
  });
  expect(readFields(fields, { name: ' ', masks: '', why: 'x' }).faults).toEqual({
    name: 'Fill in “Name”.',
  });
});
