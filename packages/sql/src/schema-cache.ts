import type { TableSchema } from '@gateleg/domain/fields/table-schema'

/** Schemas remembered; a schema of 20 fields takes some 20 KB. */
const schemasKept = 1_000

/**
 * Schemas by their tag. A tag is made anew with every change and never used twice, so that what is
 * remembered can't be outdated, in this process or in another.
 */
export class SchemaCache {
  readonly #byTag = new Map<string, TableSchema>()

  find(tag: string): TableSchema | undefined {
    return this.#byTag.get(tag)
  }

  keep(schema: TableSchema): void {
    if (this.#byTag.size >= schemasKept) {
      const [oldest] = this.#byTag.keys()
      if (oldest !== undefined) this.#byTag.delete(oldest)
    }
    this.#byTag.set(schema.tag, schema)
  }
}
