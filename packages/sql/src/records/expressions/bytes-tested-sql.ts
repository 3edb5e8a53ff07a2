import { type Condition, looksAtLong } from '@gateleg/domain/queries/condition'
import { type RawBuilder, sql } from 'kysely'
import type { SqlDialect } from '../../core/dialect/sql-dialect.ts'
import { sumOf } from '../../core/statements/sum-of.ts'

/**
 * Bytes of the cells of a record that the condition looks at, each counted for every look; undefined where it looks at none
 * that may be long. The storages know them without reading the cells.
 */
export function bytesTestedSql(
  condition: Condition,
  { values }: SqlDialect,
): RawBuilder<unknown> | undefined {
  const lengths = [...looksAtLong(condition)].flatMap(([{ column }, times]) =>
    column ? sql`${times} * coalesce(${values.storedBytes(column.name)}, 0)` : [],
  )
  return lengths.length === 0 ? undefined : sumOf(lengths)
}
