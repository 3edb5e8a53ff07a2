import { withLimits } from '@gateleg/testing/with-limits'
import { expect, test } from 'vitest'
import { readBounded } from './bounded-select.ts'
import type { SqlConnection } from './connection.ts'

const row = ['x'.repeat(52)]
const few = 4

/** A connection that knows four rows of 60 each, and which way it was asked for them. */
function connection() {
  const asked: string[] = []
  const answers: Pick<SqlConnection, 'rows' | 'rowsWithin'> = {
    rows: async () => {
      asked.push('rows')
      return Array.from({ length: few }, () => row)
    },
    rowsWithin: async () => {
      asked.push('rowsWithin')
      return { rows: [row], size: 60, isCut: true }
    },
  }
  return { asked, connection: answers as SqlConnection }
}

test('[STORE-50] rows that are few are read at once, and end at the size all the same', async () => {
  const select = { whole: 'select', bounded: undefined }
  await withLimits({ recordsLength: 200, recordBytes: 50 }, async () => {
    const of = async (most: number) => {
      const known = connection()
      const { rows, size, isCut } = await readBounded(known.connection, select, [], { most })
      return { count: rows.length, size, isCut, asked: known.asked }
    }
    expect(await of(few)).toEqual({ count: 3, size: 180, isCut: true, asked: ['rows'] })
    expect(await of(few + 1)).toEqual({ count: 1, size: 60, isCut: true, asked: ['rowsWithin'] })
  })
  await withLimits({ recordsLength: 240, recordBytes: 50 }, async () => {
    const { rows, isCut } = await readBounded(connection().connection, select, [], {
      most: few,
    })
    expect([rows.length, isCut]).toEqual([few, false])
  })
})
