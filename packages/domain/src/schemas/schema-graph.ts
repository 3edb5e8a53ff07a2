import type { Lock } from '../access/lock.ts'
import { assert } from '../errors.ts'
import type { ReadTx } from '../store.ts'
import type { Table } from '../tables/table.ts'
import type { SchemaField, TableSchema } from './table-schema.ts'

/** A table with its fields as they are now. */
export interface LoadedTable {
  readonly table: Table
  readonly schema: TableSchema
}

/**
 * The tables whose fields depend on one another, each read when it is first asked for. They are held as
 * the lock says, so that their fields stay as they are.
 */
export class SchemaGraph {
  readonly #tx: ReadTx
  readonly #lock: Lock
  readonly #tables = new Map<string, LoadedTable | undefined>()

  constructor(tx: ReadTx, lock: Lock) {
    this.#tx = tx
    this.#lock = lock
  }

  /** Takes in a table that is at hand, or one that has changed. */
  async put(table: Table): Promise<LoadedTable> {
    const known = { table, schema: await this.#tx.fields.schemaOf(table) }
    this.#tables.set(table.id, known)
    return known
  }

  /** The tables that there are, by id; those that are gone are left out. */
  async load(tableIds: readonly string[]): Promise<readonly LoadedTable[]> {
    const missing = tableIds.filter((id) => !this.#tables.has(id))
    if (missing.length > 0) {
      const found = await this.#tx.tables.findAll(missing.toSorted(), this.#lock)
      for (const id of missing) this.#tables.set(id, undefined)
      for (const table of found) await this.put(table)
    }
    return tableIds.flatMap((id) => this.#tables.get(id) ?? [])
  }

  /** The table, undefined when it is gone. */
  async find(tableId: string): Promise<LoadedTable | undefined> {
    return (await this.load([tableId]))[0]
  }

  /** A table that is there for sure: one that was put in. */
  async get(tableId: string): Promise<LoadedTable> {
    const found = await this.find(tableId)
    assert(found, `the table ${tableId} is there`)
    return found
  }

  /** A field of a table, undefined when either is gone. */
  async findField(tableId: string, fieldId: string): Promise<SchemaField | undefined> {
    return (await this.find(tableId))?.schema.byKey.id.get(fieldId)
  }
}
