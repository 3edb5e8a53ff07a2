import type { TableContext, TableReadContext } from '../../tables/table-context.ts'
import type { FieldScope } from './field-guard.ts'

/** A field, and the table that it is in. */
export type FieldReadContext = TableReadContext & FieldScope

/** A field, and the table that it is in, held for a change. */
export type FieldContext = TableContext & FieldScope
