import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import type { SqlConnection } from '../connection.ts'
import { readBounded } from './bounded-select.ts'

const row = ['x'.repeat(52)]

/** A connection that knows rows of 60 each, and which way it was asked for them. */
function connection() {
  const asked: string[] = []
  const answers: Pick<SqlConnection, 'rows' | 'rowsWithin'> = {
    rows: async () => {
      asked.push('rows')
      return [row]
    },
    rowsWithin: async () => {
      asked.push('rowsWithin')
      return { rows: [row], size: 60, isCut: true }
    },
  }
  return { asked, connection: answers as SqlConnection }
}

test('[STORE-50] one row is read whole, others end at the size', async () => {
  const select = { whole: 'select', bounded: undefined }
  await withLimits({ recordsLength: 200 }, async () => {
    const of = async (most: number) => {
      const known = connection()
      const { rows, size, isCut } = await readBounded(known.connection, select, [], { most })
      return { count: rows.length, size, isCut, asked: known.asked }
    }
    expect(await of(1)).toEqual({ count: 1, size: 60, isCut: false, asked: ['rows'] })
    expect(await of(2)).toEqual({ count: 1, size: 60, isCut: true, asked: ['rowsWithin'] })
  })
})
