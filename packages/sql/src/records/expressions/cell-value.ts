import type { ItemForm } from '@gateleg/domain/fields/cell-form'
import type { SchemaField } from '@gateleg/domain/schemas/table-schema'
import { type RawBuilder, sql } from 'kysely'
import type { ComparedType, JsonValue, QueryDialect } from '../../core/dialect/query-dialect.ts'
import { systemColumns } from '../../record-tables/system-columns.ts'

/** One item of a cell, as expressions. */
export interface ItemValue {
  /** What it is compared by: see `scalarOf`. */
  readonly value: RawBuilder<never>
  readonly type: ComparedType
  /** The text that people see of it: see `textOf`. */
  readonly text: RawBuilder<string>
  /** How often a button was pressed. */
  readonly presses?: RawBuilder<number>
}

/** The column of a field's cells, in the table as `t`; undefined for a broken field, whose cells are all empty. */
export function cellColumn({
  field,
  column,
  systemColumn,
}: SchemaField): RawBuilder<never> | undefined {
  if (field.hasError) return undefined
  if (column) return sql.ref(`t.${column.name}`)
  if (!systemColumn) return undefined
  const shown = sql.ref<never>(`t.${systemColumns[systemColumn].name}`)
  if (systemColumn !== 'lastModifiedTime' && systemColumn !== 'lastModifiedBy') return shown
  // Until the first change after the creation there is nobody who made it, and the cell is empty.
  const changedBy = sql.ref(`t.${systemColumns.lastModifiedBy.name}`)
  return sql`case when ${changedBy} <> '' then ${shown} end`
}

/** The item of a cell that is no list. */
export function onlyItem(
  { column, rules: { form } }: SchemaField,
  cell: RawBuilder<never>,
  queries: QueryDialect,
): ItemValue {
  if (column?.type === 'JSON') return jsonItem(form.item, queries.json(cell), cell)
  const type = form.item.kind === 'date' ? 'DATETIME' : typeOf(form.item)
  return { value: cell, type, text: cell }
}

/** An item that JSON has; `whole` is null where the cell is empty. */
export function jsonItem(
  { kind }: ItemForm,
  json: JsonValue,
  whole: RawBuilder<unknown>,
): ItemValue {
  switch (kind) {
    case 'number':
      return { value: json.number as RawBuilder<never>, type: 'REAL', text: json.text }
    case 'boolean':
      return { value: json.boolean as RawBuilder<never>, type: 'BOOLEAN', text: json.text }
    case 'link': {
      const title = sql<string>`case when ${whole} is not null then coalesce(${json.member('title')}, '') end`
      return { value: json.member('id') as RawBuilder<never>, type: 'TEXT', text: title }
    }
    case 'file':
      return {
        value: json.member('name') as RawBuilder<never>,
        type: 'TEXT',
        text: json.member('name'),
      }
    case 'press': {
      const nothing = sql<never>`case when ${whole} is not null then '' end`
      return { value: nothing, type: 'TEXT', text: nothing, presses: json.numberMember('count') }
    }
    default:
      return { value: json.text as RawBuilder<never>, type: 'TEXT', text: json.text }
  }
}

function typeOf({ kind }: ItemForm): ComparedType {
  if (kind === 'number') return 'REAL'
  return kind === 'boolean' ? 'BOOLEAN' : 'TEXT'
}
