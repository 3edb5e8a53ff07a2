import { invalidAt } from '../../errors.ts'
import type { TableSchema } from '../../schemas/table-schema.ts'
import type { TableReadContext } from '../../tables/table-context.ts'
import type { Cell } from '../cell.ts'
import type { Field } from '../field.ts'
import { rulesOf } from '../field-values.ts'

/**
 * The default that a required field fills the records of its table with. A field may be required from the
 * start when there are no records, or it has a default; throws validation_error otherwise.
 */
export async function requireFilling(
  { tx, userId, now }: TableReadContext,
  schema: TableSchema,
  field: Field,
): Promise<Cell | null> {
  const cell = rulesOf(field).defaultCell?.({ userId, now }) ?? null
  const page = await tx.records.page(schema, { after: 0, skip: 0, take: 2 }, [])
  const [first, second] = page.records
  if (first && cell === null) {
    throw invalidAt(['notNull'], 'the table has records: the field needs a default to fill them')
  }
  if (second && field.unique) {
    throw invalidAt(['unique'], 'the table has records, which would all get the same default')
  }
  return cell
}
