import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dbFieldTypes } from '@gateleg/domain/fields/column-type'
import type { TableDialect } from '@gateleg/sql/core/dialect/table-dialect'
import { statementText } from '@gateleg/sql/core/statements/statement-texts'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sqliteDialect } from '../dialect.ts'
import { SqliteConnection } from './sqlite-connection.ts'

const { tables } = sqliteDialect
const retyping: TableDialect['retype'] = tables.retype
function retypedBy(...given: Parameters<NonNullable<TableDialect['retype']>>) {
  if (!retyping) throw new Error('the engine gives columns other types')
  return retyping(...given)
}
const text = (statement: Parameters<typeof statementText>[1]) =>
  statementText(sqliteDialect, statement)

describe('a column without values is given another type', () => {
  let folder: string
  let database: Database.Database
  let other: Database.Database
  let connection: SqliteConnection

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
    database = new Database(join(folder, 'a.db'))
    database.pragma('journal_mode = WAL')
    const fieldColumns = [
      { name: '__old_1', type: 'TEXT' },
      { name: '__old_10', type: 'TEXT' },
      { name: 'kept', type: 'TEXT' },
    ] as const
    for (const statement of tables.create({ id: 't', baseId: 'b', dbTableName: 'T' }, fieldColumns))
      database.exec(text(statement))
    database.exec(`alter table "b.T" add column "added" real`)
    database.exec(`alter table "b.T" rename column "added" to "__old_2"`)
    other = new Database(join(folder, 'a.db'))
    connection = new SqliteConnection(database)
    add(database, 'rec1', 'kept', 'x')
  })

  afterEach(() => {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.close()
    other.close()
    rmSync(folder, { recursive: true })
  })

  function add(on: Database.Database, id: string, column: string, value: unknown): void {
    const columns = `"__id", "__created_time", "__created_by", "__last_modified_time", "__last_modified_by", "__version", "${column}"`
    on.prepare(`insert into "b.T" (${columns}) values (?, '', '', '', '', 1, ?)`).run(id, value)
  }

  /** What a connection makes of a text that reads as a number. */
  function storedAs(on: Database.Database, column: string): unknown {
    on.exec('savepoint probe')
    add(on, 'probe', column, '7')
    const found = on.prepare(`select typeof("${column}") from "b.T" where "__id" = 'probe'`)
    const type = found.pluck().get()
    on.exec('rollback to probe')
    on.exec('release probe')
    return type
  }

  const retype = (name: string, before: 'TEXT' | 'REAL', type: 'TEXT' | 'REAL' | 'INTEGER') =>
    connection.define(text(retypedBy('b', 'T', [{ name, before, type }])))

  test('[SQLITE-105] for all connections once that is committed, in the transaction at once', async () => {
    const found = other.prepare('select * from "b.T"')
    const before = found.all()
    connection.beginWriting()
    await retype('__old_1', 'TEXT', 'INTEGER')
    expect(storedAs(database, '__old_1')).toBe('integer')
    expect(found.all()).toEqual(before)
    connection.commit()
    expect(found.all()).toEqual(before)
    expect(storedAs(other, '__old_1')).toBe('integer')
    expect([storedAs(database, '__old_10'), storedAs(database, 'kept')]).toEqual(['text', 'text'])
    await retype('__old_2', 'REAL', 'TEXT')
    expect(storedAs(other, '__old_2')).toBe('text')
    expect(found.all()).toEqual(before)
  })

  test('[SQLITE-105] not where a savepoint or the transaction is undone', async () => {
    connection.beginWriting()
    add(database, 'rec2', 'kept', 'y')
    connection.control('SAVEPOINT work')
    await retype('__old_1', 'TEXT', 'INTEGER')
    expect(storedAs(database, '__old_1')).toBe('integer')
    connection.control('ROLLBACK TO work')
    expect(storedAs(database, '__old_1')).toBe('text')
    await retype('__old_10', 'TEXT', 'INTEGER')
    connection.control('ROLLBACK')
    expect([storedAs(database, '__old_10'), storedAs(other, '__old_10')]).toEqual(['text', 'text'])
    expect(database.prepare('select count(*) from "b.T"').pluck().get()).toBe(1)
  })

  test('[SQLITE-106] or nothing is changed, where it isn’t defined as was said', async () => {
    const definitions = () => database.prepare('select name, sql from sqlite_schema').all()
    const before = definitions()
    await expect(retype('__old_1', 'REAL', 'TEXT')).rejects.toThrow('definition of one table')
    await expect(retype('__old_', 'TEXT', 'REAL')).rejects.toThrow('definition of one table')
    const both = [
      { name: '__old_1', before: 'TEXT', type: 'REAL' },
      { name: 'gone', before: 'TEXT', type: 'REAL' },
    ] as const
    const statement = text(retypedBy('b', 'T', both))
    await expect(connection.define(statement)).rejects.toThrow('definition of one table')
    expect(definitions()).toEqual(before)
    expect(() => database.exec(`update sqlite_schema set sql = 'x'`)).toThrow('may not be modified')
    expect(storedAs(database, '__old_1')).toBe('text')
  })

  test('[SQLITE-105] many of them in one statement, and each as was said', async () => {
    const typed = fc.record({
      before: fc.constantFrom(...dbFieldTypes),
      type: fc.constantFrom(...dbFieldTypes),
    })
    const many = fc.array(typed, { minLength: 1, maxLength: 150 })
    let number = 0
    await fc.assert(
      fc.asyncProperty(many, async (types) => {
        const dbTableName = `Many${number++}`
        const columns = types.map((type, index) => ({ name: `__old_${index}`, ...type }))
        const made = columns.map(({ name, before }) => ({ name, type: before }))
        const table = { id: 't', baseId: 'b', dbTableName }
        for (const statement of tables.create(table, made)) database.exec(text(statement))
        await connection.define(text(retypedBy('b', dbTableName, columns)))
        const found = database.pragma(`table_info("b.${dbTableName}")`) as { type: string }[]
        expect(found.slice(-columns.length).map(({ type }) => type.toLowerCase())).toEqual(
          columns.map(({ type }) => tables.columnTypes[type]),
        )
      }),
      { numRuns: 30 },
    )
  })
})
