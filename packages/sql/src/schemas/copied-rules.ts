import { assert } from '@gateleg/domain/errors'
import { columnOf } from '@gateleg/domain/fields/column-of'
import { searchKey } from '@gateleg/domain/schemas/search-key'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import type { Table } from '@gateleg/domain/tables/table'
import { sql } from 'kysely'
import { prepared } from '../core/database.ts'
import type { CopyDialect } from '../core/dialect/table-dialect.ts'
import type { SqlSession } from '../core/session.ts'
import { createIndex, indexColumns } from '../indexes/index-columns.ts'
import { type FieldRow, fieldColumns } from '../metadata/tables/field-table.ts'
import { copyNameOf } from '../metadata/tables/table-rebuild-table.ts'
import { FieldColumns, rulesOf, suffixOfCopies } from '../record-tables/field-columns.ts'

type OfTable = { tableId: string }

const fieldsOf = prepared<OfTable, FieldRow>((db, value) =>
  db.selectFrom('fields').selectAll().where('table_id', '=', value('tableId')).orderBy('id'),
)

const fieldIdsOf = prepared<OfTable, { id: string }>((db, value) =>
  db.selectFrom('fields').select('id').where('table_id', '=', value('tableId')),
)

const indexesOf = prepared<OfTable, { name: string; key: string; state: string }>((db, value) =>
  db
    .selectFrom('table_indexes')
    .select(['name', 'key', 'state'])
    .where('table_id', '=', value('tableId'))
    .where('key', '!=', searchKey),
)

const forgetIndexes = prepared<{ names: readonly string[] }, unknown>((db, value, dialect) =>
  db.deleteFrom('table_indexes').where(dialect.lists.isIn('name', value('names'))),
)

/**
 * What a table and its copy have beside columns and records: unique indexes and conditions, which refuse values, indexes for
 * queries, and what operators set of the table: what others may do with it, say.
 */
export class CopiedRules {
  readonly #session: SqlSession
  readonly #table: Table

  constructor(session: SqlSession, table: Table) {
    this.#session = session
    this.#table = table
  }

  /** Whether the table has nothing that the product didn't make: a copy would lose it, or couldn't take the place of the table. */
  async areAll(): Promise<boolean> {
    const { id: tableId, baseId, dbTableName } = this.#table
    const fields = await this.#session.all(fieldIdsOf, { tableId })
    const known = new Set(fields.flatMap(({ id }) => Object.values(rulesOf(id))))
    for (const name of (await this.#definitions(dbTableName)).keys()) {
      if (!name.startsWith(`${tableId}_`) && !known.has(name)) return false
    }
    const columns = await this.#session.allOnce(this.#copies.columns(baseId, dbTableName))
    if (columns.some(({ type }) => !this.#copies.kinds.has(type))) return false
    const [row] = await this.#session.allOnce(this.#copies.isUsedByOthers(baseId, dbTableName))
    return row?.found === false
  }

  /** Has the copy refuse what the table refuses, of the fields that it ever had. */
  async make(): Promise<void> {
    const { id: tableId, dbTableName } = this.#table
    const copy = new FieldColumns(this.#session, asCopy(this.#table))
    const rules = await this.#refusing(dbTableName)
    for (const field of (await this.#session.all(fieldsOf, { tableId })).map(
      fieldColumns.toEntity,
    )) {
      if (columnOf(field) === undefined) continue
      const { unique, required } = rulesOf(field.id)
      if (rules.has(unique)) await copy.refuseRepeats(field)
      if (rules.has(required)) await copy.refuseEmpty(field)
    }
    assert(await this.areSame(), `the table ${tableId} refuses what its fields say`)
  }

  /** Whether the copy refuses what the table does. */
  async areSame(): Promise<boolean> {
    const { id, dbTableName } = this.#table
    const rules = await this.#refusing(dbTableName)
    const copied = await this.#refusing(copyNameOf(id))
    return rules.size === copied.size && [...rules].every(([name, one]) => copied.get(name) === one)
  }

  /** Makes the indexes for queries that the table has. */
  async makeIndexes(schema: TableSchema): Promise<void> {
    const { id: tableId, baseId } = this.#table
    const { dialect } = this.#session
    const table = dialect.tables.named(baseId, copyNameOf(tableId))
    for (const { name, key, state } of await this.#session.all(indexesOf, { tableId })) {
      const columns = indexColumns(schema, key, dialect)
      if (state !== 'ready' || columns === undefined) continue
      await this.#session.define(createIndex({ name: `${name}${suffixOfCopies}`, table, columns }))
    }
  }

  /** Forgets the indexes for queries that the copy doesn't have, or has of other columns. */
  async forgetLostIndexes(): Promise<void> {
    const { id: tableId, dbTableName } = this.#table
    const old = await this.#definitions(dbTableName)
    const copied = await this.#definitions(copyNameOf(tableId))
    const rows = await this.#session.all(indexesOf, { tableId })
    const isHere = ({ name, state }: (typeof rows)[number]) =>
      state === 'ready' && copied.has(name) && copied.get(name) === old.get(name)
    await this.#forget(rows.filter((row) => !isHere(row)))
  }

  /** Gives the copy what operators set of the table. */
  async giveSettings(): Promise<void> {
    const { id, baseId, dbTableName } = this.#table
    const copy = copyNameOf(id)
    const settings = this.#copies.settings(baseId, dbTableName, copy, suffixOfCopies)
    for (const { statement } of await this.#session.allOnce(settings)) {
      await this.#session.define(sql.raw(statement))
    }
  }

  /** Gives the indexes of a copy that has its name the names of those that are gone, and forgets which it hasn't. */
  async nameIndexes(): Promise<void> {
    const { id: tableId, baseId, dbTableName } = this.#table
    const { indexNamed } = this.#session.dialect.tables
    const copies = this.#copies
    const rules = await this.#session.allOnce(copies.rules(baseId, dbTableName))
    const names = new Set(rules.map(({ name }) => name))
    const forQueries = await this.#session.all(indexesOf, { tableId })
    const wanted = new Set(forQueries.map(({ name }) => name))
    for (const name of [...names].filter((one) => one.endsWith(suffixOfCopies))) {
      const named = withoutSuffix(name)
      const isUnwanted = named.startsWith(`${tableId}_i`) && !wanted.has(named)
      // Where it has one of the name, that was made since.
      if (names.has(named) || isUnwanted) {
        await this.#session.define(sql`drop index ${indexNamed(baseId, name)}`)
      } else await this.#session.define(copies.renameIndex(baseId, name, named))
      names.add(named)
    }
    // Somebody was at it while the copy took the place of the table, and it is gone with that.
    await this.#forget(
      forQueries.filter(({ name, state }) => state === 'ready' && !names.has(name)),
    )
  }

  get #copies(): CopyDialect {
    const { copies } = this.#session.dialect.tables
    assert(copies, 'the storage copies tables')
    return copies
  }

  async #forget(indexes: readonly { readonly name: string }[]): Promise<void> {
    const names = indexes.map(({ name }) => name)
    if (names.length > 0) await this.#session.run(forgetIndexes, { names })
  }

  /** What the indexes and conditions of the table or of its copy say, by their names in the table. */
  async #definitions(name: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#session.allOnce(this.#copies.rules(this.#table.baseId, name))
    return new Map(rows.map((row) => [withoutSuffix(row.name), row.definition]))
  }

  /** Those of them that refuse values of fields. */
  async #refusing(name: string): Promise<ReadonlyMap<string, string>> {
    const isOfField = (rule: string) => rule.endsWith('_unique') || rule.endsWith('_required')
    return new Map([...(await this.#definitions(name))].filter(([rule]) => isOfField(rule)))
  }
}

/** The table as it will be when the copy has its place. */
export function asCopy(table: Table): Table {
  return { ...table, rebuiltName: copyNameOf(table.id) }
}

function withoutSuffix(name: string): string {
  return name.endsWith(suffixOfCopies) ? name.slice(0, -suffixOfCopies.length) : name
}
