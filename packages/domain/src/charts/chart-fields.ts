import type { SystemColumn } from '../fields/column-type.ts'
import type { FieldKeyType, SchemaField, TableSchema } from '../schemas/table-schema.ts'
import type { ChartField } from './chart-query.ts'

/** The fields of the tables of a chart, by their ids, and which of them its query goes by. */
export class ChartFields {
  readonly #known = new Map<string, { readonly own: SchemaField; readonly table: number }>()
  readonly #used = new Map<string, ChartField>()

  constructor(tables: readonly TableSchema[]) {
    for (const [table, { fields }] of tables.entries()) {
      for (const own of fields) this.#known.set(own.field.id, { own, table })
    }
  }

  /** The field of the id, as its table has it. */
  find(fieldId: string): { readonly own: SchemaField; readonly table: number } | undefined {
    return this.#known.get(fieldId)
  }

  /** The field of the id, which rows have from here on; undefined where there is none. */
  use(fieldId: string): ChartField | undefined {
    const known = this.#known.get(fieldId)
    if (!known) return undefined
    const used = this.#used.get(fieldId) ?? { ...known, inRow: inRow(known.own, this.#used.size) }
    this.#used.set(fieldId, used)
    return used
  }

  /** Those that rows have, in the order of their columns. */
  get used(): readonly ChartField[] {
    return [...this.#used.values()]
  }

  /** The fields that rows have, as filters name them: by their ids alone. */
  get byKey(): Readonly<Record<FieldKeyType, ReadonlyMap<string, SchemaField>>> {
    const none = new Map<string, SchemaField>()
    const byId = new Map([...this.#used].map(([id, field]) => [id, field.inRow]))
    return { id: byId, name: none, dbFieldName: none }
  }
}

/** What the columns that every record has hold. */
const systemTypes = {
  autoNumber: 'INTEGER',
  createdTime: 'DATETIME',
  lastModifiedTime: 'DATETIME',
  createdBy: 'TEXT',
  lastModifiedBy: 'TEXT',
} as const satisfies Record<SystemColumn, string>

/** The field as rows have it: all of its cells in a column, those that its table has elsewhere, too. */
function inRow(own: SchemaField, index: number): SchemaField {
  const { column, systemColumn } = own
  const type = column?.type ?? (systemColumn ? systemTypes[systemColumn] : 'TEXT')
  return { ...own, column: { name: `c${index}`, type, index }, systemColumn: undefined }
}
