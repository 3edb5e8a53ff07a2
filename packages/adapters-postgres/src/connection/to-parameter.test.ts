import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testConnectionString } from '../../../../test/fresh-postgres.ts'
import { isOn } from '../../../../test/storages.ts'
import { ConnectionPool } from '../pool/connection-pool.ts'

describe.runIf(isOn('postgres'))('values of statements', () => {
  test('come back as they were sent, alone and in lists', async () => {
    const pool = new ConnectionPool({ connectionString: testConnectionString(), size: 1 })
    const { connection, giveBack } = await pool.lend()
    // PostgreSQL keeps no U+0000 in texts, and half of a pair of surrogates is no text.
    const text = fc.string({ unit: 'grapheme' }).map((any) => any.replaceAll('\0', ''))
    const odd = fc.constantFrom('', 'NULL', 'null', '"', '\\', '{}', ',', ' x ', '{"a"}', "'")
    const texts = fc.array(fc.option(fc.oneof(text, odd)))
    const numbers = fc.array(fc.double({ noNaN: true }).map((any) => any + 0))
    await fc.assert(
      fc.asyncProperty(
        text,
        texts,
        numbers,
        fc.array(fc.boolean()),
        async (one, all, sums, are) => {
          const sql =
            'select $1::text as one, $2::text[] as all, $3::float8[] as sums, $4::boolean[] as are'
          const [row] = await connection.all(sql, [one, all, sums, are])
          expect(row).toEqual({ one, all, sums, are })
        },
      ),
      { numRuns: 100 },
    )
    giveBack()
    await pool.close()
  })
})
