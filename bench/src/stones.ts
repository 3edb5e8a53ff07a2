import type { Column } from './handwritten/rows.ts'
import type { NewField, SampleRecord } from './sample-table.ts'

/** How many stones the tables of large questions hold. */
export const recordCount = 1_000_000

const words = ['amber', 'Basalt', 'copper', 'Dolomite', 'ember', 'Flint', 'garnet', 'Halite']

/** The fields of a table of stones. */
export const stoneFields: readonly NewField[] = [
  { name: 'Name', type: 'singleLineText' },
  { name: 'Text', type: 'singleLineText' },
  { name: 'Number', type: 'number' },
]

/** The columns of the stones, as a handwritten table has them. */
export const stoneColumns: readonly Column[] = [
  { name: 'Name', type: 'text' },
  { name: 'Text', type: 'text' },
  { name: 'Number', type: 'real' },
]

/** Where the n-th stone is in an order of them all, from 0. */
export function placeOf(n: number): number {
  return (n * 7_919) % recordCount
}

/** The n-th stone. */
export function stone(n: number): SampleRecord {
  const place = placeOf(n)
  return {
    fields: {
      Name: `${words[n % words.length]} ${place}`,
      Text: `${words[place % words.length]} of ${n}`,
      Number: place % 1_000,
    },
  }
}
