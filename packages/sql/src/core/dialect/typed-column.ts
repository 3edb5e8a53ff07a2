import type { DbFieldType } from '@gateleg/domain/fields/column-type'

/** A column of a user table: its physical name and what it holds. */
export interface TypedColumn {
  readonly name: string
  readonly type: DbFieldType
}
