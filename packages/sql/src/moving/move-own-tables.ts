import { assert } from '@gateleg/domain/errors'
import { sql } from 'kysely'
import type { TypedColumn } from '../core/dialect/typed-column.ts'
import { ownTable } from '../core/own-tables/own-table.ts'
import type { SqlSession } from '../core/session.ts'
import { statementText } from '../core/statements/statement-texts.ts'
import { StorageRefusedError } from '../migrations/storage-errors.ts'
import { type CopiedTable, copyRows, type MovingSessions, toValue } from './copy-rows.ts'
import type { MovingSide, MovingTools } from './moving-side.ts'

/** What each storage has of its own: its migrations, and the indexes that it makes for what is asked of it. */
const ofEach = new Set([
  'migrations',
  'migration_texts',
  'table_indexes',
  'search_heads',
  'search_segments',
  'search_changes',
  'table_rebuilds',
])

/** Copies the rows of the product's own tables. Throws StorageRefusedError where the copies differ. */
export async function moveOwnTables(
  sessions: MovingSessions,
  to: MovingSide,
  names: readonly string[],
  { digester }: MovingTools,
): Promise<void> {
  const { source, target } = sessions
  for (const name of names) {
    if (ofEach.has(name)) continue
    const columns = (await to.columnsOf(target, name)).map((column) => ({
      name: column.name,
      type: cellTypeOf(column.type),
    }))
    const table = {
      source: ownTable(source.dialect, name),
      target: ownTable(target.dialect, name),
      columns,
    }
    // What a migration puts there is there already.
    await target.runOnce(sql`delete from ${table.target}`)
    await copyRows(sessions, table)
    const before = await digestOf(sessions.from, source, { ...table, of: table.source }, digester)
    const after = await digestOf(to, target, { ...table, of: table.target }, digester)
    if (before === after) continue
    throw new StorageRefusedError(`The table ${name} is not the same after it was moved`)
  }
}

/** What tells the rows of a table from others, in whichever order they come: the sum of their digests. */
async function digestOf(
  side: MovingSide,
  session: SqlSession,
  { of, columns }: { readonly of: CopiedTable['source'] } & Pick<CopiedTable, 'columns'>,
  digester: MovingTools['digester'],
): Promise<bigint> {
  const { dialect } = session
  const values = sql.join(columns.map((column) => dialect.values.read(column)))
  const statement = statementText(dialect, sql`select ${values} from ${of}`)
  let sum = 0n
  for await (const rows of side.rowsOf(session, statement)) {
    for (const row of rows) {
      const digest = digester()
      digest.add(JSON.stringify(columns.map(({ type }, index) => toValue(row[index], type))))
      sum = BigInt.asUintN(256, sum + BigInt(`0x${digest.end()}`))
    }
  }
  return sum
}

/** The types that values of columns are bound with, by what migrations say of these. */
const cellTypes: Readonly<Record<string, TypedColumn['type']>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  bigint: 'INTEGER',
  boolean: 'BOOLEAN',
  'double precision': 'REAL',
}

function cellTypeOf(type: string): TypedColumn['type'] {
  const known = cellTypes[type]
  assert(known, `columns of the type ${type} can be moved`)
  return known
}
