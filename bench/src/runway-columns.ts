import { runways } from '@gateleg/example-airports/airport-tables'
import type { Column } from './handwritten/rows.ts'

/** The columns of a handwritten table of runways. */
export const runwayColumns: readonly Column[] = runways.fields.map(({ name = '', type }) => {
  if (type === 'number') return { name, type: 'real' }
  return { name, type: type === 'checkbox' ? 'integer' : 'text' }
})
