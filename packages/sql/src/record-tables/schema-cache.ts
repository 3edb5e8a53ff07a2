import { limits } from '@gateleg/domain/limits'
import type { TableSchema } from '@gateleg/domain/schemas/table-schema'
import { WeightedCache } from '@gateleg/domain/structures/weighted-cache'

/**
 * Schemas by their tag. Every change makes a new tag, and no tag is used twice, so that a cached schema can't be
 * outdated, in this process or in another.
 */
export interface Schemas {
  find(tag: string): TableSchema | undefined
  /** The one of the table that was kept last: most likely it still is the table's. */
  latestOf(tableId: string): TableSchema | undefined
  /** Says that it is the table's no more. */
  forgetLatest(tableId: string): void
  /** Remembers a schema that weighs so many bytes, roughly. */
  keep(schema: TableSchema, weight: number): void
  /** Whether it is known that the table has a place for its history: it has one until it is gone for good. */
  hasHistory(tableId: string): boolean
  noteHistory(tableId: string): void
}

/** Bytes that an id takes where it is remembered, roughly, and all of those of tables. */
const bytesPerId = 200
const mostOfTables = 10_000 * bytesPerId

/** The schemas that all transactions share: only those of committed states. */
export class SchemaCache implements Schemas {
  readonly #byTag = new WeightedCache<string, TableSchema>(limits.schemaBytes)
  readonly #withHistory = new WeightedCache<string, true>(mostOfTables)
  readonly #latestTags = new WeightedCache<string, string>(mostOfTables)

  find(tag: string): TableSchema | undefined {
    return this.#byTag.get(tag)
  }

  latestOf(tableId: string): TableSchema | undefined {
    const tag = this.#latestTags.get(tableId)
    return tag === undefined ? undefined : this.find(tag)
  }

  forgetLatest(tableId: string): void {
    this.#latestTags.forget(tableId)
  }

  keep(schema: TableSchema, weight: number): void {
    this.#byTag.keep(schema.tag, schema, weight)
    this.#latestTags.keep(schema.tableId, schema.tag, bytesPerId)
  }

  hasHistory(tableId: string): boolean {
    return this.#withHistory.get(tableId) ?? false
  }

  noteHistory(tableId: string): void {
    this.#withHistory.keep(tableId, true, bytesPerId)
  }

  /** What all schemas weigh, in bytes, roughly. */
  get weight(): number {
    return this.#byTag.weight
  }
}

/** The schemas of one writing transaction: nobody else sees those that it made before it commits. */
export class UncommittedSchemas implements Schemas {
  readonly #shared: Schemas
  readonly #withHistory = new Set<string>()
  /** The last one of each table. */
  readonly #own = new Map<string, { readonly schema: TableSchema; readonly weight: number }>()

  constructor(shared: Schemas) {
    this.#shared = shared
  }

  find(tag: string): TableSchema | undefined {
    const known = this.#shared.find(tag)
    if (known) return known
    for (const { schema } of this.#own.values()) if (schema.tag === tag) return schema
    return undefined
  }

  latestOf(tableId: string): TableSchema | undefined {
    return this.#own.get(tableId)?.schema ?? this.#shared.latestOf(tableId)
  }

  forgetLatest(tableId: string): void {
    this.#shared.forgetLatest(tableId)
  }

  keep(schema: TableSchema, weight: number): void {
    this.#own.set(schema.tableId, { schema, weight })
  }

  hasHistory(tableId: string): boolean {
    return this.#withHistory.has(tableId) || this.#shared.hasHistory(tableId)
  }

  noteHistory(tableId: string): void {
    this.#withHistory.add(tableId)
  }

  /** Shares what it has: the transaction was committed. */
  share(): void {
    for (const { schema, weight } of this.#own.values()) this.#shared.keep(schema, weight)
    for (const tableId of this.#withHistory) this.#shared.noteHistory(tableId)
  }
}
