import type { Table } from '@gateleg/domain/tables/table'
import {
  maker,
  newBase,
  newField,
  newRecord,
  newTable,
} from '@gateleg/testing/factories/stored-rows'
import { describe, expect, test } from 'vitest'
import { freshPostgres } from '../../../test/fresh-postgres.ts'
import { isOn } from '../../../test/storages.ts'
import { postgresDialect } from './dialect.ts'

describe.runIf(isOn('postgres'))('the size of a statement', () => {
  test('[POSTGRES-21] records of many fields are written by several statements', async () => {
    const statements: string[] = []
    const fresh = freshPostgres({ onStatement: (sql) => statements.push(sql) })
    const storage = await fresh.open({ onCommit: () => {} })
    const base = newBase(`bseSize${process.pid}`)
    const table = newTable(base.id)
    const fields = Array.from({ length: 94 }, (_, index) => newField(table, index + 1, 'number'))
    const records = Array.from({ length: 1_000 }, (_, index) =>
      newRecord(
        `rec${index}`,
        fields.map(() => index),
      ),
    )
    await storage.store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, fields)
      await tx.recordWriter.insert(await tx.fields.schemaOf(table), records, maker)
    })
    await storage.close()
    // 100 columns, of which 200 rows are 20,000 values.
    expect(insertsInto(table, statements)).toHaveLength(5)
  })

  test('[POSTGRES-21] long records are written by several statements, and read as they were', async () => {
    const statements: string[] = []
    const fresh = freshPostgres({ onStatement: (sql) => statements.push(sql) })
    const storage = await fresh.open({ onCommit: () => {} })
    const base = newBase(`bseLong${process.pid}`)
    const table = newTable(base.id)
    const fields = [newField(table, 1, 'longText'), newField(table, 2, 'multipleSelect')]
    const list = Array.from({ length: 1_000 }, (_, index) => `"quoted\\ ${index}`)
    const records = Array.from({ length: 10 }, (_, index) =>
      newRecord(`rec${index}`, ['"'.repeat(400_000), index % 2 === 0 ? list : null]),
    )
    const found = await storage.store.write(async (tx) => {
      await tx.bases.insert(base)
      await tx.tables.insert(table, fields)
      const schema = await tx.fields.schemaOf(table)
      await tx.recordWriter.insert(schema, records, maker)
      const ids = records.map(({ id }) => id)
      return (await tx.records.findAll(schema, ids, 'none')).records
    })
    await storage.close()
    expect(found.map(({ cells }) => cells)).toEqual(records.map(({ cells }) => cells))
    // 4 MB, of which a statement takes two.
    expect(insertsInto(table, statements)).toHaveLength(2)
  })

  test('[POSTGRES-21] one row is written whole, and few columns many rows at a time', () => {
    const { perStatement } = postgresDialect('any').rows
    expect(perStatement(30_000, 10)).toBe(1)
    expect(perStatement(3, 20_000)).toBe(5_000)
    expect(perStatement(10, 20_000)).toBe(2_000)
    expect(perStatement(10, 7)).toBe(7)
  })
})

/** Those that add records to the table. */
function insertsInto({ dbTableName }: Table, statements: readonly string[]): readonly string[] {
  return statements.filter(
    (sql) => /^insert into "[^"]+"."[^"]+" /.test(sql) && sql.includes(`"${dbTableName}"`),
  )
}
