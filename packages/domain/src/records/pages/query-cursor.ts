import { invalidAt } from '../../errors.ts'
import type { QueryPosition } from '../../queries/record-query.ts'
import type { RowOrder } from '../../queries/row-order.ts'
import type { SortKey } from '../../queries/sort-keys.ts'
import type { Secrets } from '../../secrets.ts'
import { signedPosition, signPosition } from './cursor.ts'

/** What a cursor belongs to: a table, all that the query asks of it, and what it is ordered by now. */
interface CursorQuery {
  readonly tableId: string
  /** Tells the query from every other one. */
  readonly query: string
  readonly keys: readonly SortKey[]
  /** The row order, and the version of the view that it was seen with. */
  readonly rowOrder?: RowOrder | undefined
  readonly viewVersion?: number | undefined
}

/** A position that a cursor had, and the version of the view when it was made; 0 without a row order. */
interface CursorPosition extends QueryPosition {
  readonly viewVersion: number
}

/**
 * A position in what a query finds, as callers carry it from page to page: bound to the table and the query, and
 * signed, so that one we did not make is told from one we did.
 */
export function toQueryCursor(
  secrets: Secrets,
  to: CursorQuery,
  { values, autoNumber }: QueryPosition,
): string {
  const version = to.rowOrder ? [to.viewVersion] : []
  const position = encodeURIComponent(JSON.stringify([...values, ...version, autoNumber]))
  return signPosition(secrets, nameOf(to), position)
}

/** The position of a cursor of the query; validation_error for any other text. */
export function fromQueryCursor(secrets: Secrets, to: CursorQuery, cursor: string): CursorPosition {
  const position = signedPosition(secrets, nameOf(to), cursor)
  if (position === undefined) {
    throw invalidAt(['cursor'], 'must be the nextCursor of an earlier answer to the same query')
  }
  const values = JSON.parse(decodeURIComponent(position))
  const autoNumber = values.pop()
  return { viewVersion: to.rowOrder ? values.pop() : 0, values, autoNumber }
}

/** What tells the query from all others, and from itself once its fields order records by other values. */
function nameOf({ tableId, query, keys, rowOrder }: CursorQuery): string {
  // What a field holds decides what its values are: once it is converted, they are others.
  const forms = keys.map(({ field, isDescending, isGroup = false }) => [
    field.field.id,
    isDescending,
    isGroup,
    field.rules.form.isList,
    field.rules.form.item.kind,
  ])
  return `records:${tableId}:${JSON.stringify([query, forms, ...(rowOrder ? [rowOrder.id] : [])])}`
}
